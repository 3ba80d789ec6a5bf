import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { eventually } from '#client/testing/eventually.ts'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, type Sent, serve } from '#client/testing/server.ts'
import { joinTeam, newestOf, teamList } from './team-members.ts'
import { aReferralInfo, teamMembers } from './testing/a-team.ts'

describe('joining the newest page with older pages', () => {
  const read = { items: teamMembers(300, 101), next: 101, teamSize: 300 }

  it('older members can be read while the newest page is smaller than the team', () => {
    const newest = teamMembers(100, 1)
    expect(joinTeam(newestOf({ teamMembers: newest, teamSize: 100 }), null).next).toBeNull()
    expect(joinTeam(newestOf({ teamMembers: newest, teamSize: 101 }), null).next).toBe(1)
  })

  it('members who joined later are put on top', () => {
    const team = joinTeam(newestOf({ teamMembers: teamMembers(302, 203), teamSize: 302 }), read)
    expect(team.items.map(({ id }) => id)).toEqual(teamMembers(302, 101).map(({ id }) => id))
    expect(team.next).toBe(101)
  })

  it('a member who joined in the middle of the newest page keeps the order', () => {
    const known = { ...read, items: read.items.filter(({ id }) => id !== 250), teamSize: 299 }
    const team = joinTeam(newestOf({ teamMembers: teamMembers(300, 201), teamSize: 300 }), known)
    expect(team.items.map(({ id }) => id)).toEqual(teamMembers(300, 101).map(({ id }) => id))
  })

  it('a member of the newest page is shown as it states, beside older pages', () => {
    const deleted = { username: 'Deleted member', email: '' }
    const newest = teamMembers(300, 201).map((one) =>
      one.id === 250 ? { ...one, ...deleted } : one,
    )
    const team = joinTeam(newestOf({ teamMembers: newest, teamSize: 300 }), read)
    expect(team.items).toHaveLength(200)
    expect(team.items.find(({ id }) => id === 250)).toMatchObject(deleted)
  })

  it('older pages are dropped when a member joined among them', () => {
    const newest = teamMembers(300, 201)
    const team = joinTeam(newestOf({ teamMembers: newest, teamSize: 301 }), read)
    expect(team).toMatchObject({ items: newest, next: newest.at(-1)?.id })
  })

  it('older pages are dropped when more members joined than a page holds', () => {
    const newest = teamMembers(600, 501)
    const team = joinTeam(newestOf({ teamMembers: newest, teamSize: 600 }), read)
    expect(team).toMatchObject({ items: newest, next: newest.at(-1)?.id })
  })
})

describe('reading older members', () => {
  let unsubscribe = () => {}
  let size = 0
  const info = () => {
    const top = teamMembers(size, Math.max(1, size - 99))
    return aReferralInfo({ teamMembers: top, teamSize: size, asOf: NOW + size })
  }
  const older = ({ url }: Sent) => {
    const before = Number(url.searchParams.get('before'))
    return json(before > 1 ? teamMembers(before - 1, Math.max(1, before - 100)) : [])
  }
  async function open(handlers: Parameters<typeof serve>[0]) {
    const server = serve({ 'GET /api/referral/info': () => json(info()), ...handlers })
    unsubscribe = store.sub(teamList.rowsAtom, () => {})
    await eventually(() => expect(store.get(teamList.rowsAtom)).not.toBeNull())
    return server
  }
  const ids = () => store.get(teamList.rowsAtom)?.items.map(({ id }) => id)

  beforeEach(() => {
    startAs()
    size = 250
  })
  afterEach(() => {
    unsubscribe()
    vi.unstubAllGlobals()
  })

  it('older members are read page by page to the end', async () => {
    const server = await open({ 'GET /api/referral/members': older })
    while (store.get(teamList.rowsAtom)?.next) await teamList.loadOlder()
    expect(ids()).toEqual(teamMembers(250, 1).map(({ id }) => id))
    expect(server.count('GET /api/referral/members')).toBe(2)
  })

  it('older pages are kept when a member joins', async () => {
    await open({ 'GET /api/referral/members': older })
    await teamList.loadOlder()
    size = 251
    await refresh('/api/referral/info')
    await eventually(() => expect(ids()?.[0]).toBe(251))
    expect(ids()).toHaveLength(201)
  })

  it('two parallel reads of older members send one request', async () => {
    const server = await open({ 'GET /api/referral/members': older })
    await Promise.all([teamList.loadOlder(), teamList.loadOlder()])
    expect(server.count('GET /api/referral/members')).toBe(1)
  })

  it('a failed read of an older page sets the state failed', async () => {
    await open({ 'GET /api/referral/members': lost })
    await teamList.loadOlder()
    expect(store.get(teamList.stateAtom)).toBe('failed')
    expect(ids()).toHaveLength(100)
  })

  it('a page that arrives after another sign-in is dropped', async () => {
    let answer = (_: Response) => {}
    const server = await open({
      'GET /api/referral/members': () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    const reading = teamList.loadOlder()
    await eventually(() => expect(server.count('GET /api/referral/members')).toBe(1))
    setUser(aUser({ id: 8 }))
    answer(json(teamMembers(150, 51)))
    await reading
    await eventually(() => expect(ids()).toHaveLength(100))
  })
})
