import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anActiveStatus, anIdleStatus, aUser, NOW } from './testing/fixtures.ts'
import { json, lost, refusal, serve } from './testing/server.ts'

// Each test loads the modules again.
vi.setConfig({ testTimeout: 20_000 })

/** The app of a newly loaded page; the storage of the tab stays. */
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

const idempotencyKeys = (server: ReturnType<typeof serve>, route: string) =>
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

it('a pending command is sent again after a reload, under its key, and shown as retrying', async () => {
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
  await after.resumeCommands(7)
  expect(shown).toEqual([{ command: 'start', retrying: true }, null])
  const [key] = idempotencyKeys(cut, 'POST /api/mining/start')
  expect(key).toMatch(/.{32,}/)
  expect(idempotencyKeys(server, 'POST /api/mining/start')).toEqual([key])
  expect(after.data.snapshotOf(after.data.MINING_URL)?.active).toBe(true)
  expect(sessionStorage).toHaveLength(0)
})

it('a command answered with 503 before the reload is sent again', async () => {
  const before = await load()
  const failing = serve({ 'POST /api/mining/claim': () => refusal(503, 'Try later') })
  void before.claimRewards()
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const server = serve({
    'POST /api/mining/claim': () => json({ claimedTesp: '1.00000000', claimedUsdt: '0.00000000' }),
  })
  await after.resumeCommands(7)
  const [key] = idempotencyKeys(failing, 'POST /api/mining/claim')
  expect(key).toMatch(/.{32,}/)
  expect(idempotencyKeys(server, 'POST /api/mining/claim')).toEqual([key])
})

it('a pending referral code is applied as it was typed', async () => {
  const route = 'POST /api/referral/apply-code'
  const before = await load()
  const cut = serve({ [route]: () => new Promise(() => {}) })
  void before.applyCode(' tesp:abc-234 ')
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const server = serve({ [route]: () => json({ success: true, message: 'Applied' }) })
  await after.resumeCommands(7)
  expect(idempotencyKeys(server, route)).toEqual(idempotencyKeys(cut, route))
  const sent = server.sent.find((one) => one.route === route)
  expect(JSON.parse(String(sent?.init.body))).toEqual({ referralCode: 'tesp:abc-234' })
})

it('a rejected command is not sent again after a reload', async () => {
  const before = await load()
  serve({ 'POST /api/mining/start': () => refusal(409, 'Mining is already active') })
  await before.startMining()
  const after = await load()
  const server = serve({})
  await after.resumeCommands(7)
  expect(server.sent).toHaveLength(0)
})

it('an expired command is not sent again after a reload', async () => {
  const before = await load()
  serve({ 'POST /api/mining/claim': lost })
  const failed = before.claimRewards()
  await vi.advanceTimersByTimeAsync(10_000)
  await failed
  vi.advanceTimersByTime(120_000)
  const after = await load()
  const server = serve({})
  await after.resumeCommands(7)
  expect(server.sent).toHaveLength(0)
})

it('a pending task claim is resumed once per page load', async () => {
  const before = await load()
  const cut = serve({ 'POST /api/tasks/complete': () => new Promise(() => {}) })
  void before.claimTask('join_telegram')
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  const server = serve({
    'POST /api/tasks/complete': () => json({ success: true, message: '', reward: {} }),
  })
  await after.resumeCommands(7)
  await after.resumeCommands(7)
  expect(idempotencyKeys(server, 'POST /api/tasks/complete')).toEqual(
    idempotencyKeys(cut, 'POST /api/tasks/complete'),
  )
})

it('a repeated first answer does not replace a newer snapshot', async () => {
  const before = await load()
  serve({ 'POST /api/mining/start': () => new Promise(() => {}) })
  void before.startMining()
  await vi.advanceTimersByTimeAsync(10)
  const after = await load()
  after.data.receiveSnapshot(after.data.MINING_URL, anIdleStatus({ asOf: NOW + 90_000 }))
  serve({ 'POST /api/mining/start': () => json(anActiveStatus({ asOf: NOW + 1 })) })
  await after.resumeCommands(7)
  expect(after.data.snapshotOf(after.data.MINING_URL)?.active).toBe(false)
})

it('startResume resumes the commands of the member when the sign-in is known', async () => {
  const before = await load()
  const cut = serve({ 'POST /api/mining/start': () => new Promise(() => {}) })
  void before.startMining()
  await vi.advanceTimersByTimeAsync(10)

  const after = await load()
  after.data.setUser(null)
  const server = serve({
    'POST /api/mining/start': json(anActiveStatus({ asOf: NOW + 1 })),
    'GET /api/user': json(aUser()),
  })
  const stop = after.startResume()
  await vi.advanceTimersByTimeAsync(10)
  expect(server.count('POST /api/mining/start')).toBe(0)
  after.data.setUser(aUser())
  await vi.waitFor(() => expect(server.count('POST /api/mining/start')).toBe(1))
  expect(idempotencyKeys(server, 'POST /api/mining/start')).toEqual(
    idempotencyKeys(cut, 'POST /api/mining/start'),
  )
  stop()
})
