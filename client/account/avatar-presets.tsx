import { Check } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { PresetPicture } from '#client/ui/preset-picture.tsx'
import { AVATAR_PRESETS, type AvatarPreset } from '#rules/avatars'

export type AvatarPresetsProps = {
  value: AvatarPreset | undefined
  onChange: (preset: AvatarPreset) => void
}

const nameOf = (preset: AvatarPreset) => `${preset[0]?.toUpperCase()}${preset.slice(1)}`

/** The nine presets; the arrow keys walk through them. */
export function AvatarPresets({ value, onChange }: AvatarPresetsProps) {
  return (
    <RadioGroup.Root
      aria-label="Preset avatars"
      value={value ?? ''}
      onValueChange={(next) => onChange(next as AvatarPreset)}
      className="grid grid-cols-3 justify-items-center gap-x-2 gap-y-4"
    >
      {AVATAR_PRESETS.map((preset) => (
        <RadioGroup.Item
          key={preset}
          value={preset}
          aria-label={nameOf(preset)}
          className="group relative rounded-full border-2 border-transparent p-1 transition hover:brightness-115 data-[state=checked]:border-mint"
        >
          <PresetPicture name={preset} className="size-20 rounded-full" />
          <RadioGroup.Indicator className="absolute right-0 bottom-0 inline-flex size-6 items-center justify-center rounded-full bg-mint text-on-mint">
            <Check aria-hidden="true" className="size-4" strokeWidth={3} />
          </RadioGroup.Indicator>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
