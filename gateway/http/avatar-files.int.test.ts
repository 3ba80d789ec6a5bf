import { randomBytes } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AVATAR_BYTES } from '#rules/members/avatars'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { dataUrl, jpeg } from '#scripts/testing/gateway/jpeg'
import { open, useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ clientRoot: useBuiltClient() })
const member = useMember(product)
const stranger = new Visitor(product)

/** A picture that no other test uploads: noise after the headers does not compress. */
function picture(padding = 500): Buffer {
  const bytes = jpeg(300, 300, padding)
  randomBytes(padding).copy(bytes, bytes.length - 2 - padding)
  return bytes
}
async function upload(bytes = picture(), who = member): Promise<string> {
  const body = { avatar: dataUrl(bytes) }
  return (await who.call('PATCH /api/user/profile', { body })).body.avatar ?? ''
}
const status = async (path: string) => (await stranger.fetch(path)).status

describe('an uploaded avatar', () => {
  it('is answered as the path of a file, which everybody who knows it may read', async () => {
    const bytes = picture()
    const path = await upload(bytes)
    expect(path).toMatch(/^\/avatars\/[0-9a-f]{64}\.jpg$/)
    expect((await member.call('GET /api/user')).body.avatar).toBe(path)
    const answer = await stranger.fetch(path)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  it('stays when the whole profile is saved with its path', async () => {
    const avatar = await upload()
    const { body } = await member.call('PATCH /api/user/profile', { body: { avatar, phone: '1' } })
    expect(body).toMatchObject({ avatar, phone: '1' })
    expect(await status(avatar)).toBe(200)
  })

  it('is deleted when another one or a preset replaces it', async () => {
    const first = await upload()
    const second = await upload()
    expect(await Promise.all([first, second].map(status))).toEqual([404, 200])
    await member.call('PATCH /api/user/profile', { body: { avatar: 'preset:wave' } })
    expect(await status(second)).toBe(404)
  })

  it('is exported, and deleted with its account only', async () => {
    const bytes = picture()
    const path = await upload(bytes)
    const other = await newMember(product)
    expect(await upload(bytes, other)).toBe(path)
    const body = { password: PASSWORD }
    const exported = await member.call('POST /api/user/export', { body })
    expect(exported.body.profile.avatar).toBe(dataUrl(bytes))
    const confirmed = { ...body, confirmation: member.user?.username }
    const { status: deleted } = await member.call('POST /api/user/delete', { body: confirmed })
    expect(deleted).toBe(200)
    expect(await product.db('avatars').where({ userId: member.user?.id })).toEqual([])
    expect(await status(path)).toBe(200)
    await expectCleanAudit(product)
  })

  it('of the largest size leaves the page of its member below 25 kB', async () => {
    const html = async () => (await open(member, '/account')).text()
    await upload(picture(AVATAR_BYTES - jpeg(300, 300).length))
    const page = await html()
    expect(page).toContain('/avatars/')
    expect(brotliCompressSync(page).length).toBeLessThanOrEqual(25_000)
  })

  it.each(['0'.repeat(64), 'x', `${'0'.repeat(63)}G`])('%s is not found', async (hash) => {
    expect(await status(`/avatars/${hash}.jpg`)).toBe(404)
  })
})
