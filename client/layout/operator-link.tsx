import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { operatorLinksAtom } from '#client/data/app-info.ts'
import { classNames } from '#client/ui/class-names.ts'
import type { AppInfo } from '#rules/snapshots'

type OperatorLinkProps = { name: keyof AppInfo['links']; className?: string; children: ReactNode }

/** A link to a page or mailbox of the operator; nothing where the operator has none. */
export function OperatorLink({ name, className, children }: OperatorLinkProps) {
  const { [name]: href } = useAtomValue(operatorLinksAtom)
  if (!href) return null
  return (
    <a
      href={href}
      {...(href.startsWith('https:') && { target: '_blank', rel: 'noreferrer' })}
      className={classNames('underline underline-offset-2', className)}
    >
      {children}
    </a>
  )
}

/** The way to help, beside what a member cannot change. */
export function SupportLink() {
  const { t } = useTranslation('layout')
  return (
    <OperatorLink
      name="support"
      className="inline-flex min-h-11 items-center text-sm hover:text-ink"
    >
      {t('links.contact')}
    </OperatorLink>
  )
}
