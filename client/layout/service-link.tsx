import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { serviceLinksAtom } from '#client/data/app-info.ts'
import { classNames } from '#client/ui/class-names.ts'
import type { AppInfo } from '#rules/snapshots'

type ServiceLinkProps = { name: keyof AppInfo['links']; className?: string; children: ReactNode }

export function ServiceLink({ name, className, children }: ServiceLinkProps) {
  const { [name]: href } = useAtomValue(serviceLinksAtom)
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

export function SupportLink() {
  const { t } = useTranslation('layout')
  return (
    <ServiceLink
      name="support"
      className="inline-flex min-h-11 items-center text-sm hover:text-ink"
    >
      {t('links.contact')}
    </ServiceLink>
  )
}
