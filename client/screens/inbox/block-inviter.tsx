import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { blockInviter } from '#client/push/team-reminders.ts'
import { Button } from '#client/ui/buttons/button.tsx'

/** Ends the reminders of a person who has sent one. */
export function BlockInviter({ name }: { name: string }) {
  const { t } = useTranslation('inbox')
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle')
  async function block() {
    setState('busy')
    const done = { title: t('block.done', { name }), description: t('block.wayBack') }
    const isDone = await blockInviter(true, { done, failed: t('block.failed') })
    setState(isDone ? 'done' : 'idle')
  }
  if (state === 'done') {
    return <p className="mt-1 text-xs text-muted wrap-anywhere">{t('block.done', { name })}</p>
  }
  return (
    // Above the link of the entry, which covers all of it.
    <Button
      variant="ghost"
      busy={state === 'busy'}
      className="relative -mx-4 max-w-[calc(100%+2rem)]! text-left underline wrap-anywhere"
      onClick={() => void block()}
    >
      {t('block.press', { name })}
    </Button>
  )
}
