/** The current frame of a video as a JPEG file; null if the browser cannot encode it. */
export async function captureFrame(video: HTMLVideoElement): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'))
  return blob && new File([blob], 'photo.jpg', { type: blob.type })
}
