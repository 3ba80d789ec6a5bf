import { beforeEach, describe, expect, it } from 'vitest'
import type { MemberUpdate } from '#contract/events'
import { readDocument } from '#db/members/kyc'
import { productVersion } from '#runtime/process/root'
import { dataUrl, jpeg } from '#scripts/testing/gateway/jpeg'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const UPDATE = 'PATCH /api/user/profile'
const product = useProduct()
const member = useMember(product)

const update = (body: object) => member.call(UPDATE, { body })

/** What is pushed to another device of the member. */
async function pushesToOtherDevice() {
  const device = await member.otherDevice()
  const pushes: MemberUpdate[] = []
  const socket = await device.connected()
  socket.on('changed', (update) => pushes.push(update))
  return { pushes, close: () => device.disconnect() }
}

describe(UPDATE, () => {
  it('an update changes the given fields and keeps the others', async () => {
    const { username, email } = member.user ?? {}
    const full = { username, email, fullName: ' Ada Lovelace ', phone: '+44 20 7946 0000' }
    expect(await update(full)).toMatchObject({
      status: 200,
      body: { username, email, fullName: 'Ada Lovelace', phone: '+44 20 7946 0000' },
    })
    expect((await update({ phone: null })).body).toMatchObject({
      fullName: 'Ada Lovelace',
      phone: null,
    })
    expect((await member.call('GET /api/user')).body.fullName).toBe('Ada Lovelace')
  })

  it('a saved profile tells other devices to read the user again', async () => {
    const { pushes, close } = await pushesToOtherDevice()
    await update({ phone: '+44 20 7946 0000' })
    await expect.poll(() => pushes).toEqual([{ account: true }])
    close()
  })

  it('another user name or e-mail is rejected', async () => {
    expect(await update({ username: 'somebody' })).toMatchObject({
      status: 400,
      body: { message: 'Username cannot be changed' },
    })
    expect(await update({ email: 'else@test.example' })).toMatchObject({
      status: 400,
      body: { message: 'Email cannot be changed' },
    })
  })

  it('a name that is not valid UTF-8 is rejected and changes nothing', async () => {
    await update({ fullName: 'Zoë' })
    const body = Buffer.from('{"fullName":"Zo\xeb"}', 'latin1')
    expect(await member.call(UPDATE, { body })).toMatchObject({
      status: 400,
      body: { message: 'The request is not valid UTF-8', code: 'bad_input' },
    })
    expect((await member.call('GET /api/user')).body.fullName).toBe('Zoë')
  })

  it('fields outside the profile are ignored', async () => {
    const extra = { kycStatus: 'verified', teamSize: 5, password: 'x', referralCode: 'TESPHACKED' }
    const { status, body } = await update({ fullName: 'A', ...extra })
    expect({ status, kyc: body.kycStatus, code: body.referralCode }).toEqual({
      status: 200,
      kyc: 'unverified',
      code: null,
    })
  })

  it.each([
    ['too wide', dataUrl(jpeg(301, 10))],
    ['too heavy', dataUrl(jpeg(10, 10, 103_000))],
    ['an SVG labelled as JPEG', dataUrl(Buffer.from('<svg onload="alert(1)"/>'))],
    ['an SVG', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml')],
    ['a URL of another site', 'https://evil.example/pixel.jpg'],
    ['a script', 'javascript:alert(1)'],
    ['empty', ''],
  ])('an avatar that is %s is rejected', async (_, avatar) => {
    expect(await update({ avatar })).toMatchObject({ status: 400, body: { code: 'bad_input' } })
    expect((await member.call('GET /api/user')).body.avatar).toBeNull()
  })
})

describe('POST /api/user/kyc', () => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
  const kycFlag = () => product.db('feature_flags').where({ name: 'kyc' })
  const off = { enabled: false, enabledForUsers: [], requiredVersion: null }
  const send = async (bytes: Buffer | undefined, documentType = 'passport', headers = {}) => {
    const form = new FormData()
    form.set('documentType', documentType)
    if (bytes) form.set('document', new Blob([new Uint8Array(bytes)]), 'scan.exe')
    const answer = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: form, headers })
    const body = (await answer.json()) as { message: string; kycStatus?: string }
    return { status: answer.status, body }
  }

  beforeEach(() => kycFlag().update({ ...off, enabled: true }))

  it('a document is rejected and not stored while the kyc flag is off for the member', async () => {
    await kycFlag().update({ ...off, enabledForUsers: [999_999] })
    expect(await send(pdf)).toMatchObject({
      status: 409,
      body: { message: 'Identity documents are not accepted yet', code: 'kyc_not_open' },
    })
    const { id } = member.user ?? {}
    expect((await member.call('GET /api/user')).body.kycStatus).toBe('unverified')
    expect(await product.db('kyc_documents').where({ userId: id })).toEqual([])
    await kycFlag().update({ enabledForUsers: [id] })
    expect((await send(pdf)).status).toBe(200)
  })

  it('the version that the kyc flag requires is that of the product', async () => {
    await kycFlag().update({ requiredVersion: '999.0.0' })
    expect((await send(pdf)).status).toBe(409)
    await kycFlag().update({ requiredVersion: productVersion() })
    expect((await send(pdf)).status).toBe(200)
  })

  it('an upload that is repeated after the kyc flag was turned off gets its first answer', async () => {
    const headers = { 'Idempotency-Key': 'one-document-key' }
    const first = await send(pdf, 'passport', headers)
    await kycFlag().update(off)
    expect(await send(pdf, 'passport', headers)).toEqual(first)
  })

  it('a document is accepted by its bytes, stored encrypted and pending review', async () => {
    expect(await send(pdf)).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Your documents have been submitted and are pending review',
        kycStatus: 'pending',
      },
    })
    const user = (await member.call('GET /api/user')).body
    expect(user).toMatchObject({ kycStatus: 'pending', kycDocumentType: 'passport' })
    const [row] = await product.db('kyc_documents').where({ userId: member.user?.id })
    expect(row.sealed.includes(pdf.subarray(0, 8))).toBe(false)
    expect(await readDocument(product.db, product.config.dataKey, row.id)).toEqual(pdf)
  })

  it('a submitted document tells other devices to read the user again', async () => {
    const { pushes, close } = await pushesToOtherDevice()
    expect((await send(pdf)).status).toBe(200)
    await expect.poll(() => pushes).toEqual([{ account: true }])
    close()
  })

  it('one of ten parallel documents is accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(pdf)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { message: 'Your documents have been submitted already' },
    })
  })

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a page in a PDF', Buffer.concat([pdf, Buffer.from('<script>alert(1)</script>')])],
    ['an executable', Buffer.from('7f454c46020101000000000000000000', 'hex')],
    ['text', Buffer.from('my passport')],
  ])('%s is rejected as a document', async (_, bytes) => {
    expect(await send(bytes)).toMatchObject({
      status: 400,
      body: { message: 'The document must be a JPG, PNG or PDF file', code: 'document_refused' },
    })
  })

  it('a document over 5 MiB, an unknown type, a missing document and a JSON body are rejected', async () => {
    const large = Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)])
    expect((await send(large)).status).toBe(413)
    expect(await send(pdf, 'library card')).toMatchObject({
      status: 400,
      body: { message: 'Please select a document type' },
    })
    expect(await send(undefined)).toMatchObject({
      status: 400,
      body: { message: 'Please choose a document' },
    })
    expect((await member.call('POST /api/user/kyc', { body: {} })).status).toBe(400)
    expect((await member.call('GET /api/user')).body.kycStatus).toBe('unverified')
  })
})
