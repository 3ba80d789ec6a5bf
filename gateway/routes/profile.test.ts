import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readDocument } from '#db/members/kyc'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'

const UPDATE = 'PATCH /api/user/profile'
let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.close())
beforeEach(async () => {
  member = await newMember(product)
})

/** The headers of a JPEG of that size, and its end. */
function jpeg(width: number, height: number, padding = 0): Buffer {
  const start = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
  const frame = Buffer.from('ffc000110800000000030111000211000311010', 'hex')
  const full = Buffer.concat([frame, Buffer.alloc(19 - frame.length)])
  full.writeUInt16BE(height, 5)
  full.writeUInt16BE(width, 7)
  return Buffer.concat([start, full, Buffer.alloc(padding), Buffer.from('ffd9', 'hex')])
}
const dataUrl = (bytes: Buffer, type = 'image/jpeg') =>
  `data:${type};base64,${bytes.toString('base64')}`
const update = (body: object) => member.call(UPDATE, { body })

describe(UPDATE, () => {
  it('changes name and phone, and keeps what is absent', async () => {
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

  it('refuses another user name or e-mail', async () => {
    expect(await update({ username: 'somebody' })).toMatchObject({
      status: 400,
      body: { message: 'Username cannot be changed' },
    })
    expect(await update({ email: 'else@test.example' })).toMatchObject({
      status: 400,
      body: { message: 'Email cannot be changed' },
    })
  })

  it('changes nothing that is not part of the profile', async () => {
    const extra = { kycStatus: 'verified', teamSize: 5, password: 'x', referralCode: 'TESPHACKED' }
    const { status, body } = await update({ fullName: 'A', ...extra })
    expect({ status, kyc: body.kycStatus, code: body.referralCode }).toEqual({
      status: 200,
      kyc: 'unverified',
      code: null,
    })
  })

  it('takes a JPEG that fits as an avatar', async () => {
    const avatar = dataUrl(jpeg(300, 300))
    expect(await update({ avatar })).toMatchObject({ status: 200, body: { avatar } })
  })

  it.each([
    ['too wide', dataUrl(jpeg(301, 10))],
    ['too heavy', dataUrl(jpeg(10, 10, 103_000))],
    ['no JPEG inside', dataUrl(Buffer.from('<svg onload="alert(1)"/>'))],
    ['an SVG', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml')],
    ['another place', 'https://evil.example/pixel.jpg'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', ''],
  ])('refuses an avatar that is %s', async (_, avatar) => {
    expect(await update({ avatar })).toMatchObject({ status: 400, body: { code: 'bad_input' } })
    expect((await member.call('GET /api/user')).body.avatar).toBeNull()
  })

  it('asks a visitor to sign in', async () => {
    expect((await new Visitor(product).call(UPDATE, { body: {} })).status).toBe(401)
  })
})

describe('POST /api/user/kyc', () => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
  const send = async (who: Visitor, bytes: Buffer | undefined, documentType = 'passport') => {
    const form = new FormData()
    form.set('documentType', documentType)
    if (bytes) form.set('document', new Blob([new Uint8Array(bytes)]), 'scan.exe')
    const answer = await who.fetch('/api/user/kyc', 0, { method: 'POST', body: form })
    const body = (await answer.json()) as { message: string; kycStatus?: string }
    return { status: answer.status, body }
  }

  it('takes a document by what it is, keeps it sealed, and waits for review', async () => {
    expect(await send(member, pdf)).toMatchObject({
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

  it('takes one document of ten that are sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(member, pdf)))
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
    ['a program', Buffer.from('7f454c46020101000000000000000000', 'hex')],
    ['text', Buffer.from('my passport')],
  ])('refuses %s', async (_, bytes) => {
    expect(await send(member, bytes)).toMatchObject({
      status: 400,
      body: { message: 'The document must be a JPG, PNG or PDF file', code: 'document_refused' },
    })
  })

  it('refuses more than 5 MiB, another type, no document, and another body', async () => {
    const large = Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)])
    expect((await send(member, large)).status).toBe(413)
    expect(await send(member, pdf, 'library card')).toMatchObject({
      status: 400,
      body: { message: 'Please select a document type' },
    })
    expect(await send(member, undefined)).toMatchObject({
      status: 400,
      body: { message: 'Please choose a document' },
    })
    expect((await member.call('POST /api/user/kyc', { body: {} })).status).toBe(400)
    expect((await member.call('GET /api/user')).body.kycStatus).toBe('unverified')
  })

  it('asks a visitor to sign in', async () => {
    expect((await send(new Visitor(product), pdf)).status).toBe(401)
  })
})
