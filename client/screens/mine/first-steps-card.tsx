import { useAtomValue } from 'jotai'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { routeQuery } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import { hrefOfView } from '#client/screens/account/views.ts'
import { Button, LinkButton } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { focusMain } from '#client/ui/focus-main.ts'
import { Panel } from '#client/ui/panel.tsx'

const remindersAtom = routeQuery('/api/reminders')

/** What only this device knows. */
export type Marks = { read?: boolean; dismissed?: boolean }

type CardProps = {
  memberId: number
  stored: Marks
  started: boolean
  credited: boolean
  invited: boolean
}

export function FirstStepsCard({ memberId, stored, started, credited, invited }: CardProps) {
  const { t } = useTranslation('firstSteps')
  const [marks, setMarks] = useState(stored)
  const reminders = useAtomValue(remindersAtom).data
  const reminded = reminders !== undefined && (reminders.mail || reminders.devices.length > 0)
  const mark = (more: Marks) => {
    storage.writeFor(memberId, 'firstSteps', { ...marks, ...more })
    setMarks({ ...marks, ...more })
  }
  function dismiss() {
    mark({ dismissed: true })
    focusMain()
  }
  const states = [started, credited, marks.read === true, invited, reminded]
  const done = states.filter(Boolean).length
  if (marks.dismissed || done === states.length) return null
  return (
    <Panel aria-labelledby="steps-title" className="py-3!">
      <div className="flex items-center justify-between gap-3">
        <h2 id="steps-title" className="text-base">
          {t('title')}
          <span className="ml-2 inline-block font-sans text-xs font-normal tracking-normal whitespace-nowrap text-muted">
            {t('progress', { done, all: states.length })}
          </span>
        </h2>
        <button
          type="button"
          aria-label={t('dismiss')}
          onClick={dismiss}
          className="-mr-3 inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted transition hover:text-ink"
        >
          <X className="size-4" />
        </button>
      </div>
      <ol>
        <Step done={started} name="start" />
        <Step done={credited} name="credit" />
        <Step done={marks.read === true} name="read">
          <ButtonDialog label={t('readAction')} title={t('read')} readFirst>
            <div className="flex flex-col gap-3 text-sm text-muted">
              <p>{t('about.points')}</p>
              <p>{t('about.earning')}</p>
              <p>{t('about.growing')}</p>
            </div>
            <Button size="large" className="mt-5 w-full" onClick={() => mark({ read: true })}>
              {t('about.close')}
            </Button>
          </ButtonDialog>
        </Step>
        <Step done={invited} name="invite">
          <LinkButton href="/team">{t('inviteAction')}</LinkButton>
        </Step>
        <Step done={reminded} name="remind">
          <LinkButton href={hrefOfView('notifications')}>{t('remindAction')}</LinkButton>
        </Step>
      </ol>
    </Panel>
  )
}

type StepProps = {
  name: 'start' | 'credit' | 'read' | 'invite' | 'remind'
  done: boolean
  children?: ReactNode
}

function Step({ name, done, children }: StepProps) {
  const { t } = useTranslation('firstSteps')
  return (
    <li className="flex gap-3 border-t border-line py-2.5 first:border-t-0">
      <span
        className={classNames(
          'inline-flex size-5 shrink-0 items-center justify-center rounded-full border',
          done ? 'border-mint-line bg-mint-soft text-mint' : 'border-line-strong',
        )}
      >
        {done && <Check className="size-3" />}
        {done && <span className="sr-only">{t('done')}</span>}
      </span>
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 grow basis-36 text-sm">
          <span className={classNames('block', done ? 'text-muted' : 'font-medium')}>
            {t(`${name}`)}
          </span>
          {!done && <span className="mt-0.5 block text-xs text-muted">{t(`${name}Text`)}</span>}
        </p>
        {!done && children}
      </div>
    </li>
  )
}
