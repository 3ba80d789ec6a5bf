import Check from 'lucide-react/icons/check'
import LogOut from 'lucide-react/icons/log-out'
import UserRound from 'lucide-react/icons/user-round'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { chooseLanguage } from '#client/language-switch/language-choice.ts'
import { signOutHere } from '#client/sign-in/sign-in.ts'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { User } from '#rules/members/account-snapshots'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '#rules/members/languages'
import { AvatarButton } from './avatar-button.tsx'

const itemLook =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-chip px-3 text-sm text-ink select-none data-highlighted:bg-pressed data-highlighted:outline-none'

const separatorLook = '-mx-1.5 my-1.5 h-px bg-line'

/** Open at first: its code is loaded by the press that opens it. */
export function MemberMenu({ user }: { user: User }) {
  const { t } = useTranslation('layout')
  const [open, setOpen] = useState(true)
  return (
    // Not modal: a modal menu would lock scrolling and restyle the body.
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>
        <AvatarButton user={user} />
      </DropdownMenu.Trigger>
      {/* Inside the main landmark, where screen readers find it. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) w-60 max-w-[calc(100vw-1.5rem)] animate-rise overflow-y-auto rounded-panel border border-line-strong bg-sheet p-1.5"
        >
          <DropdownMenu.Label className="px-3 pt-2 pb-3">
            <span className="block truncate font-display font-semibold">{user.username}</span>
            <span className="block truncate text-sm text-muted">{user.email}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Separator className={`${separatorLook} mt-0`} />
          <DropdownMenu.Item asChild>
            <Link href="/account" className={itemLook}>
              <UserRound className="size-4 text-muted" />
              {t('titles./account')}
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className={separatorLook} />
          <DropdownMenu.RadioGroup
            aria-label={t('language')}
            value={currentLanguage()}
            onValueChange={(next) => {
              if (isLanguage(next)) void chooseLanguage(next)
            }}
          >
            {LANGUAGES.map((language) => (
              <DropdownMenu.RadioItem
                key={language}
                value={language}
                lang={language}
                className={itemLook}
              >
                <span className="inline-flex size-4 text-mint">
                  <DropdownMenu.ItemIndicator>
                    <Check className="size-4" />
                  </DropdownMenu.ItemIndicator>
                </span>
                {LANGUAGE_NAMES[language]}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className={separatorLook} />
          <DropdownMenu.Item className={itemLook} onSelect={() => void signOut()}>
            <LogOut className="size-4 text-muted" />
            {t('logout')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export async function signOut(): Promise<void> {
  try {
    await signOutHere(() => call('POST /api/logout')).catch((error) => {
      // The answer may be lost after the event has ended the sign-in here.
      if (currentUser()) throw error
    })
    // The next member to sign in must not be sent to the page of this one.
    navigate('/auth', { replace: true })
    toast({ title: i18n.t('signOut.doneTitle'), description: i18n.t('signOut.done') })
  } catch (error) {
    showFailure(i18n.t('signOut.failed'), error, i18n.t('unreachable'))
  }
}
