import { beforeEach, expect, it, vi } from 'vitest'
import { anActiveStatus, aUser } from '#client/testing/fixtures.ts'

const toast = vi.hoisted(() => vi.fn())
vi.mock('#client/ui/toast.tsx', () => ({ toast }))

/** The module as a freshly loaded page has it. */
async function reload() {
  vi.resetModules()
  return (await import('./reward-toast.ts')).announceReward
}

/** Signs somebody in, or nobody, in the page that was loaded last. */
async function signIn(id?: number) {
  const { setUser } = await import('#client/data/member-data.ts')
  setUser(id === undefined ? null : aUser({ id }))
}

const credited = (rewardId: string) =>
  anActiveStatus({ rewardAdded: true, rewardAmount: '0.03833330', rewardId })

beforeEach(() => {
  toast.mockClear()
  localStorage.clear()
})

it('tells of a credit in the words of the specification, for five seconds', async () => {
  const announceReward = await reload()
  announceReward(7, credited('credit:5:1'))
  expect(toast).toHaveBeenCalledWith({
    title: 'TESP has been added to your wallet!',
    description:
      '0.0383333 TESP has been automatically added to your wallet after 20 minutes of mining.',
    duration: 5_000,
  })
})

it('tells of each credit once, also across a reload', async () => {
  const first = await reload()
  first(7, credited('credit:5:1'))
  first(7, credited('credit:5:1'))
  const second = await reload()
  second(7, credited('credit:5:1'))
  expect(toast).toHaveBeenCalledTimes(1)
  second(7, credited('credit:5:2'))
  expect(toast).toHaveBeenCalledTimes(2)
})

it('tells each member of their own', async () => {
  const announceReward = await reload()
  announceReward(7, credited('credit:5:1'))
  announceReward(8, credited('credit:6:1'))
  announceReward(7, credited('credit:5:1'))
  expect(toast).toHaveBeenCalledTimes(2)
})

it('leaves nothing on the device after a sign-out, and tells no credit again after it', async () => {
  const announceReward = await reload()
  await signIn(7)
  announceReward(7, credited('credit:5:1'))
  expect(localStorage.getItem('shownReward:7')).toBe('credit:5:1')
  await signIn()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('shownReward'))).toEqual([])
  await signIn(7)
  announceReward(7, credited('credit:5:1'))
  expect(toast).toHaveBeenCalledTimes(1)
})

it('knows after a sign-out too what another tab has told', async () => {
  const announceReward = await reload()
  await signIn(7)
  localStorage.setItem('shownReward:7', 'credit:5:1')
  announceReward(7, credited('credit:5:1'))
  await signIn()
  await signIn(7)
  announceReward(7, credited('credit:5:1'))
  expect(toast).not.toHaveBeenCalled()
})

it('keeps what the signed-in member was told, and nothing of others', async () => {
  await reload()
  localStorage.setItem('shownReward:7', 'credit:5:1')
  localStorage.setItem('shownReward:8', 'credit:6:1')
  localStorage.setItem('completedTasks', '{}')
  await signIn(7)
  expect(Object.keys(localStorage).sort()).toEqual(['completedTasks', 'shownReward:7'])
})

it('tells once where the browser forbids storage', async () => {
  const announceReward = await reload()
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
  announceReward(7, credited('credit:5:9'))
  announceReward(7, credited('credit:5:9'))
  vi.unstubAllGlobals()
  expect(toast).toHaveBeenCalledTimes(1)
})

it('is silent without a credit', async () => {
  const announceReward = await reload()
  announceReward(7, anActiveStatus())
  announceReward(7, undefined)
  expect(toast).not.toHaveBeenCalled()
})
