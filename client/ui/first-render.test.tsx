import { Profiler, type ReactElement } from 'react'
import { expect, it } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { Switch } from '#client/ui/forms/switch.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { Dialog } from './dialogs/dialog.tsx'

const tabs = (
  <Tabs defaultValue="one">
    <TabsList aria-label="Tabs">
      <TabsTrigger value="one">One</TabsTrigger>
      <TabsTrigger value="two">Two</TabsTrigger>
    </TabsList>
    <TabsContent value="one">First</TabsContent>
    <TabsContent value="two">Second</TabsContent>
  </Tabs>
)
const dialog = (
  <Dialog title="Title" trigger={<button type="button">Open</button>}>
    Text
  </Dialog>
)
const onOff = <Switch label="Label" hint="Hint" checked={false} onCheckedChange={async () => {}} />

// An update in the commit makes React run all effects of the screen and render again in the same task.
it.each<[string, ReactElement]>([
  ['tabs', tabs],
  ['a closed dialog', dialog],
  ['a switch', onOff],
])('%s on a first screen cause no update while React commits the screen', (_, element) => {
  const phases: string[] = []
  show(
    <Profiler id="screen" onRender={(_, phase) => void phases.push(phase)}>
      {element}
    </Profiler>,
  )
  expect(phases).toContain('mount')
  expect(phases).not.toContain('nested-update')
})
