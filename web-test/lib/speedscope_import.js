/**
 * For speedscope's own page: imports a file with it and gives back what it saves, which is what it understood. Runs in the page.
 * @param {string} name of the file, which it begins with, or of its first profile; unlike the one before
 * @param {string} extension
 * @param {string} base64 its content
 * @returns {Promise<any>} speedscope's own file format; rejects with what speedscope complains about
 */
export async function importBySpeedscope(name, extension, base64) {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** @type {any} */
  const page = globalThis;
  while (!document.querySelector('canvas')) await nextFrame();
  // Nobody looks: what it draws takes longer than what it reads.
  document.body.style.display = 'none';
  /** @type {string | undefined} */
  let complaint;
  page.alert = (/** @type {string} */ text) => (complaint = text);
  console.log = (...parts) => {
    if (parts[0] === 'Failed to load format') complaint = parts.join(' ');
  };
  /** @type {Blob | undefined} */
  let saved;
  URL.createObjectURL = (blob) => {
    saved = /** @type {Blob} */ (blob);
    return 'about:blank#';
  };
  // What is saved would be a download.
  HTMLAnchorElement.prototype.click = () => {};
  page.speedscope.loadFileFromBase64(name + extension, base64);
  for (;;) {
    if (complaint) throw new Error(complaint);
    dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true }));
    const file = saved && JSON.parse(await saved.text());
    if (file?.name.startsWith(name) || file?.profiles[0].name.startsWith(name)) return file;
    await nextFrame();
  }
}
