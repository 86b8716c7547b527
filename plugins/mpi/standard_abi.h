/* What transport_mpi.c needs of the binary interface that MPI 5.0 fixes (its chapter on the ABI): one build runs with every MPI that has
 * libmpi_abi.so.1, such as MPICH 5 and Intel MPI 2021.18, and none has to be there for the build. Not a whole <mpi.h>. */
#ifndef GOSSAMER_STANDARD_ABI_H
#define GOSSAMER_STANDARD_ABI_H

#include <stdint.h>

/* A handle is a pointer that is never followed: small values name what is predefined. */
typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_Request* MPI_Request;
typedef struct MPI_ABI_Datatype* MPI_Datatype;

typedef struct {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;

#define MPI_COMM_NULL ((MPI_Comm)(intptr_t)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)(intptr_t)0x101)
#define MPI_COMM_SELF ((MPI_Comm)(intptr_t)0x102)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)(intptr_t)0x143)
#define MPI_REQUEST_NULL ((MPI_Request)(intptr_t)0x180)
#define MPI_BYTE ((MPI_Datatype)(intptr_t)0x247)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)

enum {
  MPI_SUCCESS = 0,
  MPI_ANY_SOURCE = -1,
  MPI_THREAD_SINGLE = 0,
  MPI_THREAD_SERIALIZED = 2048,
  MPI_KEYVAL_INVALID = 0,
  MPI_TAG_UB = 501,
  MPI_MAX_ERROR_STRING = 512,
  MPI_MAX_LIBRARY_VERSION_STRING = 8192
};

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void*, void*, void*, int*);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void*, void*);
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function*)0)

int MPI_Abort(MPI_Comm comm, int code);
int MPI_Cancel(MPI_Request* request);
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* end, int* key, void* state);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* into);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_free_keyval(int* key);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* found);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Errhandler_free(MPI_Errhandler* handler);
int MPI_Error_string(int code, char* text, int* length);
int MPI_Finalize(void);
int MPI_Finalized(int* ended);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Get_library_version(char* text, int* length);
int MPI_Get_version(int* version, int* subversion);
int MPI_Init_thread(int* words, char*** text, int wanted, int* given);
int MPI_Iallgather(const void* mine, int count, MPI_Datatype type, void* all, int each, MPI_Datatype types, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);
int MPI_Initialized(int* started);
int MPI_Irecv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Query_thread(int* given);
int MPI_Recv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Request_free(MPI_Request* request);
int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status);
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);
double MPI_Wtime(void);

#endif
