import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { listActions } from '#operators/actions/action-log'
import { actionsOf, submit, useConsole } from './testing/use-console.ts'

const operator = useConsole()

it('no page but the forms of a sign-in opens without one', async () => {
  const { path, userId } = await submit(operator.fresh)
  for (const one of ['/', '/members', path, `${path}/content`, '/actions/members/freeze', '/no']) {
    const answer = await operator.get(one)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/sign-in'])
  }
  const answer = await operator.post('/actions/members/freeze', { arg0: `id:${userId}` })
  expect(answer.headers.get('Location')).toBe('/sign-in')
  expect(await actionsOf(operator.fresh, userId)).toEqual([])
})

it('forms of other sites are refused and logged, requests for another host are refused', async () => {
  await operator.signIn()
  const { userId } = await submit(operator.fresh)
  const fields = { arg0: `id:${userId}`, reason: 'x' }
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
    expect((await operator.post('/actions/members/freeze', fields, origin)).status).toBe(403)
  }
  expect(await actionsOf(operator.fresh, userId)).toEqual([])
  expect(await listActions(operator.fresh.db, 1)).toMatchObject([
    { action: 'console refused', operator: operator.name, reason: 'a form of another site' },
  ])
  const other = operator.origin.replace('127.0.0.1', 'localhost')
  expect((await fetch(`${other}/sign-in`)).status).toBe(421)
})

it('a compressed form is refused unread, and the console goes on', async () => {
  // Once beyond the limit, its end cannot be decompressed.
  const body = gzipSync('a'.repeat(80_000)).subarray(0, -8)
  const { origin } = operator
  const type = 'application/x-www-form-urlencoded'
  const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip', Origin: origin }
  const answer = await fetch(`${origin}/sign-in`, { method: 'POST', body, headers })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('without Content-Encoding')
  expect((await operator.get('/sign-in')).status).toBe(200)
})

it('every answer forbids scripts, frames and storing', async () => {
  await operator.signIn()
  for (const path of ['/', '/members', '/sign-in', '/style.css', '/nothing', '/identity/x']) {
    const { headers } = await operator.get(path)
    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; .*ancestors 'none'/,
    )
    expect(headers.get('Content-Security-Policy')).not.toMatch(/script|unsafe/)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  }
})

it('texts of members are escaped', async () => {
  const { userId, path } = await submit(operator.fresh)
  const fullName = `<img src=x onerror="alert('1')">&`
  await operator.fresh.db('users').where({ id: userId }).update({ fullName })
  await operator.signIn()
  for (const page of [path, `/members/${userId}`]) {
    const text = await operator.text(page)
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;')
    expect(text).not.toContain(fullName)
  }
})

it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'an action leads back to a page of the console only, not to %s',
  async (back) => {
    await operator.signIn()
    const page = await operator.text(`/actions/flags/on?back=${encodeURIComponent(back)}`)
    expect(page).toContain('href="/">Cancel')
    expect(page).not.toContain('evil')
  },
)

it('every page of the navigation opens', async () => {
  await operator.signIn()
  const start = await operator.text('/members')
  const links = [...start.matchAll(/<li><a href="(\/[a-z-]+)"/g)].map(([, path]) => path ?? '')
  expect(links.length).toBeGreaterThan(3)
  for (const link of [...links, '/account']) expect((await operator.get(link)).status).toBe(200)
})
