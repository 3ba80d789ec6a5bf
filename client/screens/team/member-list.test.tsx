import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queriesSettled } from '#client/screens/testing/queries.ts'
import { json, refusal } from '#client/testing/server.ts'
import { aReferralInfo } from './testing/a-team.ts'
import { leaderInfo, openTeam, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

const MINING = 'GET /api/referral/mining'
const rowOf = (name: string) =>
  screen.getByText(name, { exact: true }).closest('li')?.textContent ?? ''

it('the member list names how many are mining and marks them', async () => {
  openTeam(leaderInfo, { [MINING]: () => json({ total: 2, memberIds: [12, 5] }) })
  expect(await screen.findByText('2 mining now')).toBeTruthy()
  expect(rowOf('member12')).toContain('mining now')
  expect(rowOf('member5')).toContain('mining now')
  expect(rowOf('member11')).not.toContain('mining now')
})

it('the member list is silent about mining while nobody mines', async () => {
  const { server } = openTeam(leaderInfo, { [MINING]: () => json({ total: 0, memberIds: [] }) })
  await waitFor(() => expect(server.count(MINING)).toBe(1))
  await queriesSettled()
  expect(screen.queryByText(/mining now/)).toBeNull()
})

it('a failed read of who is mining leaves the member list as it is', async () => {
  const { server } = openTeam(leaderInfo, { [MINING]: () => refusal(500, 'Something went wrong') })
  await waitFor(() => expect(server.count(MINING)).toBe(1))
  await queriesSettled()
  const list = screen.getByRole('list', { name: 'List of team members' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(12)
  expect(screen.queryByText(/mining now/)).toBeNull()
})

it('who is mining is not read for a member without a team', async () => {
  const { server } = openTeam(aReferralInfo(), {
    [MINING]: () => json({ total: 0, memberIds: [] }),
  })
  await screen.findByText('No referred members yet')
  await queriesSettled()
  expect(server.count(MINING)).toBe(0)
})
