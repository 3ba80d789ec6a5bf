import Check from 'lucide-react/icons/check'
import { DropdownMenu } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '#client/language/language.ts'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '#rules/members/languages'
import { chooseLanguage } from './language-choice.ts'

/** The languages as radio items of the surrounding menu; `className` is that of its items. */
export function LanguageRadioGroup({ className }: { className: string }) {
  const { t } = useTranslation('layout')
  return (
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
          className={className}
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
  )
}
