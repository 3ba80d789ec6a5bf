import { type FormEvent, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { applyCode } from './team-commands.ts'
import { useTeamCommand } from './use-team-command.ts'

/** Longest input that the server accepts; a code with every separator is far shorter. */
const MAX_LENGTH = 64

/** The form for the referral code of the inviting member. */
export function ApplyCode() {
  const [code, setCode] = useState('')
  const [rejection, setRejection] = useState<string | null>(null)
  const button = useTeamCommand('apply')
  async function submit(event: FormEvent) {
    event.preventDefault()
    setRejection(await applyCode(code))
  }
  return (
    <Panel>
      <form onSubmit={submit}>
        <Field
          label="Enter Referral Code"
          placeholder="Enter TESP-XXXXX"
          value={code}
          onChange={(event) => {
            setCode(event.target.value)
            setRejection(null)
          }}
          hint="A code can be applied once."
          error={rejection ?? undefined}
          maxLength={MAX_LENGTH}
          autoCapitalize="characters"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          inputClassName="font-mono placeholder:font-sans"
        />
        <Button
          type="submit"
          size="large"
          className="mt-2 w-full"
          {...button}
          disabled={code.trim() === '' || button.disabled}
        >
          Apply Referral Code
        </Button>
      </form>
    </Panel>
  )
}
