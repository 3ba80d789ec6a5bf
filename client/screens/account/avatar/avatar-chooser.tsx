import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveAvatar } from '#client/screens/account/profile-commands.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { presetOf } from '#rules/members/avatars'
import { AvatarPresets } from './avatar-presets.tsx'
import { AvatarUpload } from './avatar-upload.tsx'
import type { ResizedImage } from './resize-image.ts'

export type AvatarChooserProps = { avatar: string | null; onSaved: () => void }

/** Chooses an avatar: a preset or an uploaded image. */
export function AvatarChooser({ avatar, onSaved }: AvatarChooserProps) {
  const { t } = useTranslation('account')
  const [mode, setMode] = useState('choose')
  const [preset, setPreset] = useState(() => presetOf(avatar ?? ''))
  const [image, setImage] = useState<ResizedImage | null>(null)
  const [saving, setSaving] = useState(false)

  async function save() {
    setSaving(true)
    const chosen = mode === 'upload' ? image?.url : preset && `preset:${preset}`
    const saved = await saveAvatar(chosen ?? null)
    setSaving(false)
    if (saved) onSaved()
  }

  return (
    <>
      <Tabs value={mode} onValueChange={setMode}>
        <TabsList aria-label={t('avatar.ways')}>
          <TabsTrigger value="choose">{t('avatar.choose')}</TabsTrigger>
          <TabsTrigger value="upload">{t('avatar.upload')}</TabsTrigger>
        </TabsList>
        <TabsContent value="choose" tabIndex={-1} className="pt-5">
          <AvatarPresets value={preset} onChange={setPreset} />
        </TabsContent>
        <TabsContent value="upload" tabIndex={-1} className="pt-5">
          <AvatarUpload image={image} onImage={setImage} />
        </TabsContent>
      </Tabs>
      <Button
        size="large"
        busy={saving}
        disabled={mode === 'upload' && image === null}
        onClick={() => void save()}
        className="mt-5 w-full"
      >
        {t('avatar.save')}
      </Button>
    </>
  )
}
