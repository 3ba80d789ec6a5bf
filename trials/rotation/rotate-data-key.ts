import { readDocument } from '#db/members/kyc'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { runScript } from '#trials/kit/child'
import { newSecret, type Rotation } from './rotation.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
const EMAIL = 'before-the-rotation@test.example'

async function submitDocument(member: Visitor): Promise<number> {
  const form = new FormData()
  form.set('documentType', 'passport')
  form.set('document', new Blob([new Uint8Array(PDF)]), 'passport.pdf')
  const { status } = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: form })
  if (status !== 200) throw new Error(`the document was answered ${status}`)
  const row = await member.product.db('kyc_documents').where({ userId: member.user?.id }).first()
  return row.id
}

/** `DATA_KEY`: rows under the old key are encrypted again before it is dropped. */
export async function rotateDataKey({ report, stage, roll }: Rotation): Promise<void> {
  const { product } = stage
  const documentId = await submitDocument(await newMember(product))
  const visitor = new Visitor(product)
  await visitor.call('POST /api/verify/send-otp', { body: { email: EMAIL } })
  const otp = await visitor.codeOf(EMAIL)
  const [before, after] = [String(stage.env.DATA_KEY), newSecret('base64')]
  await roll('DATA_KEY=old,new', { DATA_KEY: `${before},${after}` })
  await roll('DATA_KEY=new,old', { DATA_KEY: `${after},${before}` })
  const { status } = await visitor.call('POST /api/verify/verify-otp', {
    body: { email: EMAIL, otp },
  })
  report.expect('a code that was mailed before', status, 200)
  const ops = (...args: string[]) => runScript('ops', args, stage.env)
  await report.step(
    'npm run ops -- keys renew',
    () => ops('keys', 'renew', '--yes', '--reason', 'yearly rotation'),
    String,
  )
  const uses: { older: number; unreadable: number }[] = JSON.parse(
    await ops('keys', 'status', '--json'),
  )
  const left = uses.reduce((sum, { older, unreadable }) => sum + older + unreadable, 0)
  report.expect('rows that the new key does not decrypt', left, 0)
  await roll('DATA_KEY=new', { DATA_KEY: after })
  const document = await readDocument(product.db, product.config.dataKey, documentId)
  report.expect('a document that was submitted before', document.equals(PDF), true)
}
