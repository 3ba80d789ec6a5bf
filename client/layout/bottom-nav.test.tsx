import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { memberQueryKey } from '#client/data/member-data.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { serve } from '#client/testing/server.ts'
import { BottomNav } from './bottom-nav.tsx'

const member = aUser()
const receive = (teamSize: number, asOf: number) =>
  act(() => {
    const info = aReferralInfo({ teamSize, asOf })
    queryClient.setQueryData(memberQueryKey('/api/referral/info', member.id), info)
  })

beforeEach(() => startAs(member))

it('the Team link is marked while a milestone is ready, without a request', async () => {
  const server = serve({})
  show(<BottomNav />)
  const description = () => {
    const id = screen.getByRole('link', { name: 'Team' }).getAttribute('aria-describedby')
    return id && document.getElementById(id)?.textContent
  }
  receive(9, NOW)
  expect(description()).toBeNull()
  receive(10, NOW + 1)
  expect(await screen.findByText('A milestone is ready')).toBeTruthy()
  expect(description()).toBe('A milestone is ready')
  expect(server.sent).toEqual([])
})
