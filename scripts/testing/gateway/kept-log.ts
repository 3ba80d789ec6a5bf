import { afterAll, beforeAll, type MockInstance, vi } from 'vitest'

/** What the roles of this process have logged. */
export type KeptLog = { text(): string; lines(): Record<string, unknown>[] }

/** Keeps the log of the roles that a file starts. Call it before `useProduct`, which needs a `LOG_LEVEL`. */
export function useLog(): KeptLog {
  let text = ''
  let write: MockInstance<typeof process.stdout.write>
  beforeAll(() => {
    write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      text += chunk
      return true
    })
  })
  afterAll(() => write.mockRestore())
  return {
    text: () => text,
    lines: () =>
      text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}
