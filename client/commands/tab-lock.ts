import { SECOND_MS } from '#rules/constants'

const locks = () => (navigator as { locks?: LockManager }).locks

/** Whether the browser has Web Locks; pages loaded over plain HTTP have none. */
export const hasLocks = () => locks() !== undefined

/** How long a visible page waits for a lock before it may share it, real ms. */
const LOCK_WAIT_MS = 20 * SECOND_MS

/**
 * Runs in one tab at a time, even if one is closed or crashes. A suspended tab keeps its lock, so a visible one that
 * has waited runs too if `mayShare` allows it. Then, and without Web Locks, only the idempotency key makes a
 * command take effect once.
 */
export async function withTabLock(
  name: string,
  run: () => Promise<void>,
  mayShare: () => Promise<unknown>,
  manager = locks(),
): Promise<void> {
  let running: Promise<void> | undefined
  const begin = () => {
    running ??= run()
    return running
  }
  if (!manager) return begin()
  const timer = setInterval(async () => {
    if (!document.hidden && (await mayShare())) void begin()
  }, LOCK_WAIT_MS)
  await manager.request(name, begin).finally(() => clearInterval(timer))
}
