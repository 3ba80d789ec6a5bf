import { Forked } from '#trials/kit/fork'
import type { Tally } from '#trials/kit/member'
import type { MemberCalls } from './members-process.ts'
import { type ProfileService, type Project, type ProjectOptions, Stack } from './stack.ts'

export type MembersOptions = Pick<
  Project,
  'origin' | 'databaseUrl' | 'mailPort' | 'ports' | 'catchesMail' | 'settings'
>

export type StepFigures = ReturnType<Tally['take']> & {
  /** Commands that the client showed as waiting, because no answer came within its retry budget. */
  waited: number
  credits: number
}

export type Running = { stack: Stack; members: Forked<MemberCalls> }

export async function whileRunning<T>(
  options: ProjectOptions & { profiles?: ProfileService[] },
  work: (running: Running) => Promise<T>,
): Promise<T> {
  const { profiles = [], ...project } = options
  const stack = await Stack.create(project)
  let members: Forked<MemberCalls> | undefined
  try {
    await stack.up(2, 2)
    if (profiles.length > 0) await stack.upProfiles(...profiles)
    const env = {
      // Node reads it once, at its start; the proxy has signed its certificate itself.
      NODE_EXTRA_CA_CERTS: await stack.certificateAuthority(),
      MEMBERS_OPTIONS: JSON.stringify(stack.project satisfies MembersOptions),
    }
    members = new Forked<MemberCalls>('trials/containers/members-process.ts', { env })
    return await work({ stack, members })
  } finally {
    members?.end()
    await stack.down()
  }
}
