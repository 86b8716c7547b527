// Context switch for x86-64 (System V): callee-saved registers and the stack pointer only. The
// floating-point environment (MXCSR, x87 control word) is shared by all fibers of a core.
//
//   void gossamer_switch(void** save_sp, void* load_sp)
//
// Saved frame, from the saved stack pointer upward: r15 r14 r13 r12 rbx rbp return-address.
#if defined(__x86_64__)
        .text
        .globl  gossamer_switch
        .hidden gossamer_switch
        .type   gossamer_switch, @function
        .p2align 6
gossamer_switch:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        .cfi_adjust_cfa_offset -8
        popq    %r14
        .cfi_adjust_cfa_offset -8
        popq    %r13
        .cfi_adjust_cfa_offset -8
        popq    %r12
        .cfi_adjust_cfa_offset -8
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        popq    %rcx                    // a jump, not a return: the return predictor would be wrong
        .cfi_adjust_cfa_offset -8
        jmpq    *%rcx
        .cfi_endproc
        .size   gossamer_switch, .-gossamer_switch

// First frame of a fiber: rbx holds its argument, r12 its entry. Ends every backtrace.
        .globl  gossamer_fiber_start
        .hidden gossamer_fiber_start
        .type   gossamer_fiber_start, @function
        .p2align 4
gossamer_fiber_start:
        .cfi_startproc
        .cfi_undefined rip
        endbr64
        movq    %rbx, %rdi
        callq   *%r12
        ud2                             // an entry never returns
        .cfi_endproc
        .size   gossamer_fiber_start, .-gossamer_fiber_start
#endif
        .section .note.GNU-stack, "", @progbits
