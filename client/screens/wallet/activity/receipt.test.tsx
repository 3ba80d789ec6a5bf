import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dateTimeRangeText, dateTimeText } from '#client/format/dates.ts'
import { anActivity, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { MINUTE_MS } from '#rules/constants'
import type { Activity } from '#rules/snapshots'
import { ReceiptDialog, reasonOf } from './receipt-dialog.tsx'

function factsOf(activity: Activity) {
  show(<ReceiptDialog activity={activity} open onClose={() => {}} />)
  const dialog = within(screen.getByRole('dialog'))
  return Object.fromEntries(
    dialog
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
}

const at = (ms: number) => dateTimeText(NOW + ms)
const range = (minutes: number) => dateTimeRangeText(NOW - minutes * MINUTE_MS, NOW)

beforeEach(() => startAs())
afterEach(() => vi.unstubAllGlobals())

describe('receipt', () => {
  it('the receipt of a credit names its interval, reason and balance', () => {
    const facts = factsOf(
      anActivity(0, { id: 'credit:71:3', balanceAfter: '1018.40276331', description: '' }),
    )
    expect(facts).toEqual({
      Amount: '+0.03333333 TESP',
      Why: 'Automatic credit after 20 minutes of mining',
      When: at(0),
      'Mining interval': `3 of 72 in session 71${range(20)}`,
      'Balance after': '1,018.40276331 TESP',
      'Receipt id': expect.stringContaining('credit:71:3'),
      Proof: expect.stringContaining('Download proof'),
    })
    expect(screen.getByRole('button', { name: /Copy/ })).toBeTruthy()
  })

  it('the receipt of a rolled-up row names all of its intervals', async () => {
    serve({ 'GET /api/wallet/credits': () => json([]) })
    const facts = factsOf(anActivity(0, { id: 'credit:71:2-4' }))
    expect(facts['Mining interval']).toBe(`2 to 4 of 72 in session 71${range(60)}`)
    await screen.findByText('The single credits are not available')
  })

  it('the receipt of an outgoing correction states its reason and no interval', () => {
    const facts = factsOf(
      anActivity(0, {
        id: 'correction:4',
        type: 'other',
        amount: '-1.50000000',
        tokenType: 'USDT',
        description: 'Correction: paid twice',
      }),
    )
    expect(facts).toMatchObject({ Amount: '−1.50000000 USDT', Why: 'Correction: paid twice' })
    expect(facts).not.toHaveProperty('Mining interval')
  })
})

it.each([
  ['claim:7.2:TESP', 'You claimed your pending rewards'],
  ['task:7:join_telegram', 'You completed a task'],
  ['task:7:visit:2026-03-01', 'You completed a daily task'],
  ['task:7:visit:2026-03-01:2', 'You completed a daily task'],
  ['milestone:7:25:USDT', 'Your team reached 25 members'],
  ['milestone:7:1000:USDT', 'Your team reached 1,000 members'],
  ['gift:7', 'A gift'],
])('the reason of %s is %s', (id, reason) => {
  expect(reasonOf(anActivity(0, { id, description: 'A gift' }))).toBe(reason)
})
