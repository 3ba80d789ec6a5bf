import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  currentUser,
  miningAtom,
  setUser,
  snapshotOf,
  userAtom,
  walletAtom,
} from '#client/data/member-data.ts'
import { productNow } from '#client/data/product-clock.ts'
import { store } from '#client/data/query-cache.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { anIdleStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { serve, setMemberCookie } from '#client/testing/server.ts'
import { INITIAL_DATA_ID, type InitialData } from '#contract/initial-data'
import { adoptInitialData, readInitialData } from './initial-data.ts'

const first: InitialData = {
  user: aUser(),
  answers: {
    '/api/mining/status': anIdleStatus(),
    '/api/wallet': aWallet('5'),
    '/api/referral/info': aReferralInfo(),
  },
}

function take() {
  const held = readInitialData()
  if (held) adoptInitialData(held)
}

function addToPage(json: string) {
  const script = document.createElement('script')
  script.type = 'application/json'
  script.id = INITIAL_DATA_ID
  script.textContent = json
  document.body.append(script)
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  setMemberCookie(7)
  setUser(null)
})
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the first screen in the page', () => {
  it('nothing that the page holds is read again', async () => {
    const server = serve({})
    addToPage(JSON.stringify(first))
    take()
    const stops = [userAtom, miningAtom, walletAtom, referralAtom].map((atom) =>
      store.sub(atom, () => {}),
    )
    await vi.advanceTimersByTimeAsync(100)
    expect(server.sent).toEqual([])
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('5')
    expect(snapshotOf('/api/mining/status')?.active).toBe(false)
    expect(productNow()).not.toBeNull()
    for (const stop of stops) stop()
  })

  it('the data is removed from the document', () => {
    addToPage(JSON.stringify(first))
    take()
    expect(document.getElementById(INITIAL_DATA_ID)).toBeNull()
  })

  it.each([
    ['of a member who is not the one of the marker cookie', () => setMemberCookie(8)],
    ['of a page whose sign-in has ended', () => setMemberCookie(undefined)],
  ])('data %s is ignored', (_, prepare) => {
    prepare()
    addToPage(JSON.stringify(first))
    take()
    expect(currentUser()).toBeNull()
    expect(snapshotOf('/api/wallet')).toBeUndefined()
  })

  it.each(['', '{"user":', '[]', 'null', '{"user":{"id":7}}'])('the text %j is ignored', (text) => {
    addToPage(text)
    take()
    expect(currentUser()).toBeNull()
  })
})
