import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anActiveStatus, anIdleStatus, NOW } from './testing/fixtures.ts'
import { json, lost, refusal, serve } from './testing/server.ts'

// Each test loads the modules anew.
vi.setConfig({ testTimeout: 20_000 })

/** The app as a freshly loaded page has it, with the storage of the tab. */
async function load() {
  vi.resetModules()
  const { startAs } = await import('./testing/render.tsx')
  const data = await import('./data/member-data.ts')
  startAs()
  data.receiveSnapshot(data.MINING_URL, anIdleStatus())
  return {
    data,
    ...(await import('./screens/mine/mining-commands.ts')),
    ...(await import('./screens/tasks/task-commands.ts')),
    ...(await import('./screens/team/team-commands.ts')),
    ...(await import('./resume-commands.ts')),
  }
}

const keys = (server: ReturnType<typeof serve>, route: string) =>
  server.sent
    .filter((one) => one.route === route)
    .map(({ headers }) => headers.get('Idempotency-Key'))

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('sends an unanswered press again after a reload, under its key, and says that it retries', async () => {
  const before = await load()
  const cut = serve({ 'POST /api/mining/start': () => new Promise(() => {}) })
  void before.startMining()
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const started = anActiveStatus({ asOf: NOW + 1 })
  const server = serve({
    'POST /api/mining/start': () => json(started),
    'GET /api/mining/status': () => json(started),
  })
  const shown: unknown[] = []
  const { store } = after.data
  store.sub(after.miningCommandAtom, () => shown.push(store.get(after.miningCommandAtom)))
  await after.resumePresses(7)
  expect(shown).toEqual([{ command: 'start', retrying: true }, null])
  const [key] = keys(cut, 'POST /api/mining/start')
  expect(key).toMatch(/.{32,}/)
  expect(keys(server, 'POST /api/mining/start')).toEqual([key])
  expect(after.data.snapshotOf(after.data.MINING_URL)?.active).toBe(true)
  expect(sessionStorage).toHaveLength(0)
})

it('sends again what was answered with 503 before the reload', async () => {
  const before = await load()
  const failing = serve({ 'POST /api/mining/claim': () => refusal(503, 'Try later') })
  void before.claimRewards()
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const server = serve({
    'POST /api/mining/claim': () => json({ claimedTesp: '1.00000000', claimedUsdt: '0.00000000' }),
  })
  await after.resumePresses(7)
  const [key] = keys(failing, 'POST /api/mining/claim')
  expect(key).toMatch(/.{32,}/)
  expect(keys(server, 'POST /api/mining/claim')).toEqual([key])
})

it('applies a referral code that nobody answered, as it was typed', async () => {
  const route = 'POST /api/referral/apply-code'
  const before = await load()
  const cut = serve({ [route]: () => new Promise(() => {}) })
  void before.applyCode(' tesp:abc-234 ')
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const server = serve({ [route]: () => json({ success: true, message: 'Applied' }) })
  await after.resumePresses(7)
  expect(keys(server, route)).toEqual(keys(cut, route))
  const sent = server.sent.find((one) => one.route === route)
  expect(JSON.parse(String(sent?.init.body))).toEqual({ referralCode: 'tesp:abc-234' })
})

it('sends nothing that was answered, also where the answer was no', async () => {
  const before = await load()
  serve({ 'POST /api/mining/start': () => refusal(409, 'Mining is already active') })
  await before.startMining()
  const after = await load()
  const server = serve({})
  await after.resumePresses(7)
  expect(server.sent).toHaveLength(0)
})

it('sends nothing that the member no longer expects', async () => {
  const before = await load()
  serve({ 'POST /api/mining/claim': lost })
  const failed = before.claimRewards()
  await vi.advanceTimersByTimeAsync(10_000)
  await failed
  vi.advanceTimersByTime(120_000)
  const after = await load()
  const server = serve({})
  await after.resumePresses(7)
  expect(server.sent).toHaveLength(0)
})

it('resumes the claim of a task, and only once a page', async () => {
  const before = await load()
  const cut = serve({ 'POST /api/tasks/complete': () => new Promise(() => {}) })
  void before.claimTask('join_telegram')
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const server = serve({
    'POST /api/tasks/complete': () => json({ success: true, message: '', reward: {} }),
  })
  await after.resumePresses(7)
  await after.resumePresses(7)
  expect(keys(server, 'POST /api/tasks/complete')).toEqual(keys(cut, 'POST /api/tasks/complete'))
})

it('does not let the first answer, coming again late, undo what is known', async () => {
  const before = await load()
  serve({ 'POST /api/mining/start': () => new Promise(() => {}) })
  void before.startMining()
  await vi.advanceTimersByTimeAsync(10)
  const after = await load()
  after.data.receiveSnapshot(after.data.MINING_URL, anIdleStatus({ asOf: NOW + 90_000 }))
  serve({ 'POST /api/mining/start': () => json(anActiveStatus({ asOf: NOW + 1 })) })
  await after.resumePresses(7)
  expect(after.data.snapshotOf(after.data.MINING_URL)?.active).toBe(false)
})
