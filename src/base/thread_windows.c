// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread.h"

#ifdef _WIN32

#include <windows.h>

/* A process may be allowed fewer cores than the machine has. Its mask knows up to 64: those of one
 * group; with more than that all count. */
int thread_cpu_count(void)
{
    DWORD_PTR ours, all;
    const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    if (count <= 64 && GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) && ours)
        return bits_count(ours);
    return count > 0 ? (int)count : 1;
}

/* Windows can; but processes that the thread starts would not stay there. */
bool thread_pin(int cpu)
{
    (void)cpu;
    return false;
}

void thread_prompt(void) { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_ABOVE_NORMAL); }
void thread_background(void) { SetPriorityClass(GetCurrentProcess(), IDLE_PRIORITY_CLASS); }

void thread_low_priority(void)
{
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

#endif
