"""What NetworkX reads of the backend while it is imported, beside the package gossamer: importing that would join the processes of a job."""
