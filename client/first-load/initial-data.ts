import { memberInCookie, memberQueryKey, setUser } from '#client/data/member-data.ts'
import { setProductClock } from '#client/data/product-clock.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { isRecord } from '#client/data/storage.ts'
import { INITIAL_DATA_ID, type InitialData } from '#contract/initial-data'
import { SECOND_MS } from '#rules/constants'

/** Real ms for which the page's answers count as just read: a screen that reads on opening does not repeat them. */
const START_MS = 3 * SECOND_MS

/** Real ms since the page arrived, and with it the answers that it holds. */
function ageMs(): number {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? []
  if (!navigation || !('responseStart' in navigation)) return 0
  return performance.now() - Number(navigation.responseStart)
}

const isInitialData = (value: unknown): value is InitialData =>
  isRecord(value) && 'user' in value && 'answers' in value

function parsed(text: string): InitialData | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isInitialData(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What the page holds of its member, once: it is removed from the document. */
export function readInitialData(): InitialData | undefined {
  const element = document.getElementById(INITIAL_DATA_ID)
  element?.remove()
  return element ? parsed(element.textContent ?? '') : undefined
}

/** Fills the cache; ignored if another tab has signed in somebody else while the page was loading. */
export function adoptInitialData({ user, answers }: InitialData): void {
  if (user.id !== memberInCookie()) return
  setUser(user)
  const updatedAt = Date.now() + START_MS
  for (const [url, answer] of Object.entries(answers)) {
    const queryKey = memberQueryKey(url as keyof typeof answers, user.id)
    queryClient.setQueryData(queryKey, answer, { updatedAt })
  }
  const status = answers['/api/mining/status']
  if (!status) return
  // The status set the clock as if it had arrived only now.
  const { serverNow, speed } = status
  const now = Date.parse(serverNow) + ageMs() * speed
  setProductClock({ serverNow: new Date(now).toISOString(), speed })
}
