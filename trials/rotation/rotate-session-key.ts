import { newMember } from '#gateway/testing/visitor'
import { newSecret, type Rotation } from './rotation.ts'

/** `SESSION_KEYS`: a request re-signs the cookie of its browser with the first key. */
export async function rotateSessionKey({ report, stage, roll }: Rotation): Promise<void> {
  const { product } = stage
  const active = await newMember(product)
  const idle = await newMember(product)
  const status = async (member: typeof active) => (await member.call('GET /api/user')).status
  const [before, after] = [String(stage.env.SESSION_KEYS), newSecret()]
  await roll('SESSION_KEYS=old,new', { SESSION_KEYS: `${before},${after}` })
  report.expect('a member who returns', await status(active), 200)
  await roll('SESSION_KEYS=new,old', { SESSION_KEYS: `${after},${before}` })
  report.expect('a member who returns', await status(active), 200)
  await roll('SESSION_KEYS=new', { SESSION_KEYS: after })
  report.expect('a member who returned meanwhile', await status(active), 200)
  report.expect('a member who did not: signs in again', await status(idle), 401)
}
