import { Snowflake } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { ReferralInfo } from '#rules/snapshots'
import { generateCode } from './team-commands.ts'
import { referralLink } from './team-view.ts'
import { useTeamCommand } from './use-team-command.ts'

/** The member's referral link and code, or the button that generates them. */
export function InvitePanel({ info }: { info: ReferralInfo | undefined }) {
  return (
    <Panel aria-labelledby="invite-title">
      <h2 id="invite-title" className="text-base">
        Invite members
      </h2>
      {info === undefined ? (
        <Waiting />
      ) : info.referralCode === null ? (
        <Generate />
      ) : (
        <>
          {info.frozenReason !== null && <Frozen reason={info.frozenReason} />}
          <Copyable
            label="Referral link"
            text={referralLink(window.location.origin, info.referralCode)}
            breakAfter={window.location.origin.length}
          />
          <Copyable label="Referral code" text={info.referralCode} />
        </>
      )}
    </Panel>
  )
}

type CopyableProps = { label: string; text: string; breakAfter?: number }

/** A text that breaks only at `breakAfter`, with its copy button, which wraps below if needed. */
function Copyable({ label, text, breakAfter = text.length }: CopyableProps) {
  const pieces = [text.slice(0, breakAfter), text.slice(breakAfter)]
  return (
    <div className="mt-4 flex flex-wrap items-end justify-between gap-3">
      <p className="min-w-0 grow basis-44">
        <span className="block text-xs text-muted">{label}</span>
        <span className="mt-1 block font-mono text-sm">
          {pieces.filter(Boolean).map((piece) => (
            <span key={piece} className="inline-block max-w-full truncate align-bottom">
              {piece}
            </span>
          ))}
        </span>
      </p>
      <CopyButton text={text} what={label.toLowerCase()} />
    </div>
  )
}

function Frozen({ reason }: { reason: string }) {
  return (
    <p className="mt-4 flex gap-3 rounded-control border border-amber-line bg-amber-soft px-4 py-3 text-sm text-amber">
      <Snowflake aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>This code takes no new members: {reason}</span>
    </p>
  )
}

function Generate() {
  const button = useTeamCommand('generate')
  return (
    // As tall as the link and the code that take its place.
    <div className="flex min-h-34 flex-col justify-between">
      <p className="mt-1 text-sm text-muted">
        With a referral code of your own you can invite direct members.
      </p>
      <Button size="large" className="mt-4 w-full" {...button} onClick={generateCode}>
        Generate referral code
      </Button>
    </div>
  )
}

function Waiting() {
  return (
    <div className="mt-4 flex flex-col gap-4">
      {['h-10 w-40', 'h-5 w-28'].map((size) => (
        <div key={size} className="flex items-end justify-between gap-3">
          <div>
            <Skeleton className="h-4 w-20" />
            <Skeleton className={`mt-1 ${size}`} />
          </div>
          <Skeleton className="h-11 w-28 rounded-control" />
        </div>
      ))}
    </div>
  )
}
