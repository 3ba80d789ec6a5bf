import { act, screen, waitFor } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { APP_INFO_URL, queryClient } from '#client/data/query-cache.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { focusMain } from '#client/ui/focus-main.ts'
import { MainRegion, SimulationNotice, WaitingPage } from './page.tsx'

beforeEach(() => {
  queryClient.removeQueries({ queryKey: [APP_INFO_URL] })
  startAs(null)
})
afterEach(() => void vi.unstubAllGlobals())

const serveLinks = (links?: object) =>
  serve({ 'GET /api/app': () => json({ flags: [], minimumVersion: null, taskLinks: {}, links }) })

const names = () => screen.getAllByRole('link').map(({ textContent }) => textContent)

it('the footer links to the pages of the operator that exist', async () => {
  serveLinks({ support: 'mailto:help@tesp.example', terms: 'https://tesp.example/terms' })
  show(<SimulationNotice />)
  await waitFor(() => expect(names()).toEqual(['Service status', 'Support', 'Terms']))
  const support = screen.getByRole('link', { name: 'Support' })
  expect(support.getAttribute('href')).toBe('mailto:help@tesp.example')
  expect(support.hasAttribute('target')).toBe(false)
  const terms = screen.getByRole('link', { name: 'Terms' })
  expect(terms.getAttribute('target')).toBe('_blank')
})

it('the footer of an earlier gateway has no such links', async () => {
  const server = serveLinks()
  show(<SimulationNotice />)
  await waitFor(() => expect(server.count('GET /api/app')).toBe(1))
  expect(names()).toEqual(['Service status'])
})

it('the page that replaces one that was loading takes over its focus', async () => {
  let load = () => {}
  const Screen = lazy(async () => {
    await new Promise<void>((resolve) => {
      load = resolve
    })
    return { default: () => <MainRegion>Wallet</MainRegion> }
  })
  show(
    <Suspense fallback={<WaitingPage />}>
      <Screen />
    </Suspense>,
  )
  focusMain()
  const waiting = document.activeElement
  expect(waiting?.tagName).toBe('MAIN')
  await act(async () => load())
  const main = await screen.findByText('Wallet')
  expect(main).not.toBe(waiting)
  expect(document.activeElement).toBe(main)
})
