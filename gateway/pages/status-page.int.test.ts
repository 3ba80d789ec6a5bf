import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { productNow, setClockSpeed } from '#db/postgres/connection/product-clock'
import { serviceStatusReader } from '#gateway/services/service-status'
import { MINUTE_MS } from '#rules/constants'
import type { Language } from '#rules/members/languages'
import { freeze } from '#scripts/testing/db/clock'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { STATUS_TEXTS } from './status-page.ts'

const product = useProduct({ frozen: true, clientRoot: useBuiltClient() })
const html = { headers: { Accept: 'text/html' } }
const json = { headers: { Accept: 'application/json' } }

it('the status page shows visitors whether credits and updates are on time', async () => {
  const answer = await new Visitor(product).fetch('/status', 0, html)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toContain('text/html')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  const page = await answer.text()
  expect(page).toMatch(/Credits <span class="on_time">On time/)
  expect(page).toMatch(/Live updates <span class="on_time">On time/)
  expect(page).not.toMatch(/\d+ (s|ms|members|sessions)\b/)
})

it.each([
  ['the browser prefers', '/status', { 'Accept-Language': 'vi-VN,vi;q=0.9' }, 'vi'],
  ['the link names', '/status?language=vi', { 'Accept-Language': 'en' }, 'vi'],
  ['the browser prefers, if the link names an unknown one', '/status?language=tlh', {}, 'en'],
])('the page is in the language that %s', async (_, path, headers, language) => {
  const answer = await new Visitor(product).fetch(path, 0, {
    headers: { ...html.headers, ...headers },
  })
  const page = await answer.text()
  expect(page).toContain(`<html lang="${language}">`)
  expect(page).toContain(`<h1>${STATUS_TEXTS[language as Language].title}</h1>`)
  expect(answer.headers.get('Vary')).toContain('Accept-Language')
})

it('the page names the fonts of the client and what stands for them, and no others', async () => {
  const page = await (await new Visitor(product).fetch('/status', 0, html)).text()
  const faces = [...page.matchAll(/@font-face\{font-family:([^;]*)/g)].map(([, family]) => family)
  expect(faces).toEqual(['inter-latin-wght-normal', 'Inter Fallback'])
})

it('the status is available as JSON with two words', async () => {
  const answer = await new Visitor(product).fetch('/status', 0, json)
  expect(await answer.json()).toEqual({ credits: 'on_time', updates: 'on_time' })
})

describe('the reader of the status', () => {
  let now = 0
  let reads = 0
  type Sources = Parameters<typeof serviceStatusReader>[0]
  const ready = { slowestPush: { value: 0 }, subscriber: { status: 'ready' } } as const
  const read = (change: Partial<Sources> = {}) =>
    serviceStatusReader({ db: product.db, ...ready, ...change }, () => now)

  beforeAll(() => {
    product.db.on('query', ({ sql }: { sql: string }) => {
      if (sql.includes('credit_sweeps')) reads += 1
    })
  })
  afterEach(async () => {
    await product.db('mining_sessions').delete()
    await freeze(product.db)
  })

  /** A session whose first credit is due since this time. */
  async function dueSince(ms: number): Promise<void> {
    const userId = await insertMember(product.db)
    const startedAt = startedBefore(await productNow(product.db), 1) - ms
    await insertSessions(product.db, [{ userId, startedAt }])
  }

  it('credits are delayed if an interval is due for more than a minute', async () => {
    await dueSince(2 * MINUTE_MS)
    expect((await read()()).credits).toBe('delayed')
  })

  it('credits of a demonstration are delayed by real time', async () => {
    await dueSince(2 * MINUTE_MS)
    await setClockSpeed(product.db, 60)
    expect((await read()()).credits).toBe('on_time')
  })

  it('credits are delayed if Postgres cannot be read', async () => {
    const db = connect(product.config.databaseUrl, { max: 1 })
    await db.destroy()
    expect((await read({ db })()).credits).toBe('delayed')
  })

  it('updates are delayed if a push was late or changes do not arrive', async () => {
    expect((await read({ slowestPush: { value: 5.1 } })()).updates).toBe('delayed')
    expect((await read({ subscriber: { status: 'reconnecting' } })()).updates).toBe('delayed')
    expect((await read({ slowestPush: { value: 4.9 } })()).updates).toBe('on_time')
  })

  it('100 readers within 10 s cost one read of Postgres', async () => {
    const status = read()
    reads = 0
    await Promise.all(Array.from({ length: 100 }, status))
    now += 9_999
    await status()
    expect(reads).toBe(1)
    now += 1
    await status()
    expect(reads).toBe(2)
  })
})
