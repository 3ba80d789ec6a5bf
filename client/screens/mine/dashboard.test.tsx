import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { setProductClock } from '#client/data/product-clock.ts'
import { anActiveStatus, anIdleStatus, aSession, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { refusal, serve } from '#client/testing/server.ts'
import { DAY_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import { MineScreen } from './mine-screen.tsx'

function open(status: MiningStatus) {
  setProductClock({ serverNow: new Date(NOW - DAY_MS).toISOString(), speed: 1 })
  receiveSnapshot('/api/mining/status', status)
  show(<MineScreen />)
}

/** The readouts as `name: text`. */
const readouts = () =>
  within(screen.getByRole('region', { name: 'Readouts' }))
    .getAllByRole('term')
    .map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)

const meter = (name: string) => screen.getByRole('progressbar', { name })

beforeEach(() => {
  serve({})
  startAs()
})
afterEach(() => vi.unstubAllGlobals())

describe('dashboard', () => {
  it('the dashboard welcomes the member', () => {
    open(anIdleStatus())
    const text = 'Welcome to the next generation of AI-powered mining technology'
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('the dashboard shows three readouts: Time, AI Optimization and Rate', () => {
    open(anIdleStatus())
    expect(readouts()).toEqual(['Time: 00:00:00', 'AI Optimization: 35%', 'Rate: 0.100TESP/h'])
  })

  it('the Time readout shows hours, minutes and seconds of the session', () => {
    open(anActiveStatus())
    expect(readouts()[0]).toMatch(/^Time: 01:05:0\d$/)
    expect(readouts()[1]).toMatch(/^AI Optimization: (3\d|4\d|50)%$/)
  })

  it('the AI Optimization bar is explained', () => {
    open(anIdleStatus())
    expect(meter('AI Optimization').getAttribute('aria-valuenow')).toBe('35')
    const text = 'This value changes with network conditions and mining criteria.'
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('the boost box explains what direct members add', () => {
    open(anActiveStatus({ miningBoost: 0.05 }))
    const text =
      'F1 - Direct Members: each person you directly refer helps increase mining speed by +5%/person'
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('pending rewards are listed in both tokens', () => {
    open(anIdleStatus({ pendingRewards: '1.25000000', pendingUsdtRewards: '0.50000000' }))
    const panel = within(screen.getByRole('region', { name: 'Pending Rewards' }))
    expect(panel.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '1.2500',
      '0.50',
    ])
  })
})

it.each([
  ['starting', anIdleStatus(), 'POST /api/mining/start', /start mining/i],
  ['stopping', anActiveStatus(), 'POST /api/mining/stop', /stop mining/i],
] as const)(
  'the dial is disabled and shows a spinner while %s',
  async (label, status, route, name) => {
    let answer = (_: Response) => {}
    const server = serve({
      [route]: () =>
        new Promise<Response>((resolve) => {
          answer = resolve
        }),
    })
    open(status)
    fireEvent.click(screen.getByRole('button', { name }))
    const button = screen.getByRole('button', { name: new RegExp(label, 'i') })
    expect(button).toHaveProperty('disabled', true)
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(button.querySelector('.animate-spin')).toBeTruthy()
    await waitFor(() => expect(server.count(route)).toBe(1))
    answer(refusal(409, 'Already so'))
    expect(await screen.findByRole('button', { name })).toHaveProperty('disabled', false)
  },
)

it('the dial is disabled while a claim is pending', async () => {
  let answer = (_: Response) => {}
  const server = serve({
    'POST /api/mining/claim': () =>
      new Promise<Response>((resolve) => {
        answer = resolve
      }),
  })
  open({ ...anIdleStatus(), pendingRewards: '0.5', hasPendingRewards: true, canClaim: true })
  fireEvent.click(screen.getByRole('button', { name: /claim rewards/i }))
  const dial = screen.getByRole('button', { name: /start mining/i })
  expect(dial).toHaveProperty('disabled', true)
  await waitFor(() => expect(server.count('POST /api/mining/claim')).toBe(1))
  answer(refusal(400, 'No rewards to claim'))
  await waitFor(() => expect(dial).toHaveProperty('disabled', false))
})

describe('session progress', () => {
  it('the session progress counts down the remaining time', () => {
    open(anActiveStatus())
    const text = meter('Mining Progress (24h)').getAttribute('aria-valuetext')
    expect(text).toMatch(/^22:5[45]:\d\d$/)
  })

  it('the session progress is complete after 24 hours', () => {
    const session = aSession({ isCompleted: true, remainingTime: 0, nextCreditIn: undefined })
    open(anIdleStatus({ session }))
    expect(screen.getByText('100% Complete')).toBeTruthy()
    expect(readouts()[0]).toBe('Time: 24:00:00')
  })
})

it.each([
  ['AI Connections', '4,616', 'Number of neural network connections active during mining'],
  ['Total Data', '26.97TB', 'Data processed by the AI system'],
  ['Network Hash', '18.90TH/s', 'Total hash power of the network'],
])('the card %s shows %s and explains it in a tooltip', async (label, figure, explanation) => {
  open(anIdleStatus())
  const card = screen.getByRole('button', { name: new RegExp(`^${label}`) })
  expect(card.textContent).toBe(`${label}${figure}`)
  fireEvent.click(card)
  expect((await screen.findByRole('tooltip')).textContent).toBe(explanation)
})

it('a link below the cards leads to the status of the network', () => {
  open(anIdleStatus())
  const link = screen.getByRole('link', { name: 'Status of the whole network' })
  expect(link.getAttribute('href')).toBe('/network')
})
