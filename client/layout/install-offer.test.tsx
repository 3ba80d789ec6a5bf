import { act, fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { keepInstallPrompt } from '#client/offline/install-prompt.ts'
import { anActiveStatus } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { MainRegion } from './page.tsx'
import { LateInstallOffer } from './signed-in-layout.tsx'

function offer() {
  const prompt = vi.fn(async () => {})
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(event))
  return { prompt, event }
}

let asOf = 0
async function credited(count: number) {
  const status = anActiveStatus()
  const session = status.session && { ...status.session, creditedIntervals: count }
  asOf += 1_000
  await act(async () => {
    receiveSnapshot('/api/mining/status', { ...status, session, asOf: status.asOf + asOf })
    await new Promise((resolve) => setTimeout(resolve, 10))
  })
}

const title = () => screen.findByRole('region', { name: 'Add TESP Network to your home screen' })
const isOffered = () => screen.queryByText('Add TESP Network to your home screen') !== null
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

beforeAll(() => keepInstallPrompt())
beforeEach(() => {
  localStorage.clear()
  startAs()
  show(
    <MainRegion>
      <LateInstallOffer />
    </MainRegion>,
  )
})

it('the app is offered after the first credit, and a no is remembered on the device', async () => {
  const { event } = offer()
  expect(event.defaultPrevented).toBe(true)
  await credited(0)
  expect(isOffered()).toBe(false)
  await credited(1)
  await title()
  press('No, thanks')
  expect(isOffered()).toBe(false)
  expect(localStorage.getItem('installOffer')).toBe('no')
  expect(offer().event.defaultPrevented).toBe(false)
  await credited(2)
  expect(isOffered()).toBe(false)
})

it('Install shows the dialog of the browser once', async () => {
  const { prompt } = offer()
  await credited(1)
  await title()
  press('Install')
  expect(prompt).toHaveBeenCalledTimes(1)
  expect(isOffered()).toBe(false)
})

it.each(['Install', 'No, thanks'])('"%s" by key leaves the focus on the page', async (answer) => {
  offer()
  await credited(1)
  await title()
  act(() => screen.getByRole('button', { name: answer }).focus())
  await userEvent.keyboard('{Enter}')
  expect(isOffered()).toBe(false)
  expect(document.activeElement?.id).toBe('main')
})

it('nothing is offered once the app was installed another way', async () => {
  offer()
  await credited(1)
  await title()
  act(() => void window.dispatchEvent(new Event('appinstalled')))
  expect(isOffered()).toBe(false)
})
