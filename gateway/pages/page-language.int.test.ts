import { expect, it } from 'vitest'
import { LANGUAGE_COOKIE } from '#contract/headers'
import { navigation, open, useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ clientRoot: useBuiltClient() })
const member = useMember(product)
const visitor = new Visitor(product)

const shown = async (who: Visitor, path: string, headers: Record<string, string> = {}) => {
  const answer = await open(who, path, { ...navigation, ...headers })
  expect(answer.headers.get('Vary')).toMatch(/Accept-Language/)
  const html = await answer.text()
  return { language: /<html lang="(.*?)"/.exec(html)?.[1], html }
}
const vietnamese = { 'Accept-Language': 'vi-VN,vi;q=0.9,en;q=0.8' }
const chosen = (language: string) => `${LANGUAGE_COOKIE}=${language}`

it.each([
  ['no preference', {}, 'en'],
  ['the preference Vietnamese', vietnamese, 'vi'],
  ['only unknown preferences', { 'Accept-Language': 'fr,de;q=0.5' }, 'en'],
  ['a choice', { Cookie: chosen('vi') }, 'vi'],
  ['a choice that differs from the preference', { ...vietnamese, Cookie: chosen('en') }, 'en'],
  ['an unknown choice', { ...vietnamese, Cookie: chosen('"><script>') }, 'vi'],
])('a visitor with %s gets it', async (_, headers, language) => {
  expect((await shown(visitor, '/auth', headers)).language).toBe(language)
  expect((await shown(visitor, '/reset-password', headers)).language).toBe(language)
})

it('a member gets the shell and the texts of their language on a device without a choice', async () => {
  await product.db('users').where({ id: member.user?.id }).update({ language: 'vi' })
  const page = await shown(member, '/mine', { 'Accept-Language': 'en' })
  expect(page.language).toBe('vi')
  expect(page.html).toContain('Xin chào, ')
  expect(page.html).toContain('/assets/mine-vi.js')
  expect(page.html).not.toContain('/assets/mine-en.js')
  const device = `${member.jar.header()}; ${chosen('en')}`
  expect((await shown(member, '/mine', { Cookie: device })).html).toContain('Hello, ')
})
