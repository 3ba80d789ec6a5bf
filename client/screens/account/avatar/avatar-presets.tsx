import Check from 'lucide-react/icons/check'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { PresetPicture } from '#client/ui/pictures/preset-picture.tsx'
import { AVATAR_PRESETS, type AvatarPreset } from '#rules/members/avatars'

export type AvatarPresetsProps = {
  value: AvatarPreset | undefined
  onChange: (preset: AvatarPreset) => void
}

/** The nine presets as a radio group. */
export function AvatarPresets({ value, onChange }: AvatarPresetsProps) {
  const { t } = useTranslation('account')
  const group = useId()
  return (
    <div
      role="radiogroup"
      aria-label={t('avatar.presets')}
      className="grid grid-cols-3 justify-items-center gap-x-2 gap-y-3"
    >
      {AVATAR_PRESETS.map((preset) => (
        <span key={preset} className="relative">
          <input
            type="radio"
            name={group}
            value={preset}
            checked={preset === value}
            onChange={() => onChange(preset)}
            aria-label={t(`avatar.preset.${preset}`)}
            className="peer absolute inset-0 z-10 size-full cursor-pointer appearance-none rounded-full"
          />
          <span className="block rounded-full border-2 border-transparent p-1 transition peer-checked:border-mint peer-hover:brightness-115">
            <PresetPicture name={preset} className="size-20 rounded-full max-[22rem]:size-16" />
          </span>
          <span className="absolute right-0 bottom-0 hidden size-6 items-center justify-center rounded-full bg-mint text-on-mint peer-checked:inline-flex">
            <Check aria-hidden="true" className="size-4" strokeWidth={3} />
          </span>
        </span>
      ))}
    </div>
  )
}
