// Context switch for AArch64 (AAPCS64): x19-x30, d8-d15 and the stack pointer.
// The floating-point control register is shared by all fibers of a core.
//
//   void gossamer_switch(void** save_sp, void* load_sp)
//
// Saved frame, 160 bytes from the saved stack pointer: x19..x28, x29, x30, d8..d15.
#if defined(__aarch64__)
        .text
        .globl  gossamer_switch
        .hidden gossamer_switch
        .type   gossamer_switch, %function
        .p2align 6
gossamer_switch:
        .cfi_startproc
        sub     sp, sp, #160
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mov     x9, sp
        str     x9, [x0]
        mov     sp, x1
        ldp     x19, x20, [sp, #0]
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x29, x30, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #160
        ret
        .cfi_endproc
        .size   gossamer_switch, .-gossamer_switch

// First frame of a fiber: x19 holds its argument, x20 its entry. Ends every backtrace.
        .globl  gossamer_fiber_start
        .hidden gossamer_fiber_start
        .type   gossamer_fiber_start, %function
        .p2align 4
gossamer_fiber_start:
        .cfi_startproc
        .cfi_undefined x30
        mov     x0, x19
        blr     x20
        brk     #1                      // an entry never returns
        .cfi_endproc
        .size   gossamer_fiber_start, .-gossamer_fiber_start
#endif
        .section .note.GNU-stack, "", %progbits
