const locks = () => (navigator as { locks?: LockManager }).locks

/** Whether the browser has Web Locks; pages loaded over plain HTTP have none. */
export const hasLocks = () => locks() !== undefined

/**
 * Runs `run` in one tab of the browser at a time: another tab that asks for the same name runs
 * afterwards, even if the first one is closed or crashes. Without Web Locks every tab runs at once,
 * and only the idempotency key makes a command take effect once.
 */
export async function withTabLock(name: string, run: () => Promise<void>): Promise<void> {
  const manager = locks()
  if (manager) await manager.request(name, run)
  else await run()
}
