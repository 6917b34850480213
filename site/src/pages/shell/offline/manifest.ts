// The name and look of an installed page. It is a data URL, because browsers may ask for the
// manifest after the seal, when nothing can be fetched.

const icon = (size: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -9 48 48" width="${size}" height="${size}"><rect x="-8" y="-9" width="48" height="48" fill="#1b5e59"/>` +
  `<path d="M3 28h26M5 28V15a5.5 5.5 0 0 1 11 0v13M16 28V15a5.5 5.5 0 0 1 11 0v13M3 5h26" transform="translate(0 -1.5)" fill="none" stroke="#f4f1ea" stroke-width="2.2" stroke-linecap="round"/></svg>`;

const dataURL = (type: string, text: string): string => `data:${type},${encodeURIComponent(text)}`;

/** Adds the manifest to the page. Addresses in it are whole, as a data URL has no folder. */
export function addManifest(document: Document): void {
  const here = new URL(".", document.baseURI).href;
  const manifest = {
    name: "Cloister",
    short_name: "Cloister",
    description: "Private models, fitted where the data is.",
    id: here,
    start_url: here,
    scope: here,
    display: "standalone",
    background_color: "#f6f5f1",
    theme_color: "#1b5e59",
    icons: [192, 512].map((size) => ({
      src: dataURL("image/svg+xml", icon(size)),
      sizes: `${size}x${size}`,
      type: "image/svg+xml",
      purpose: "any",
    })),
  };
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = dataURL("application/manifest+json", JSON.stringify(manifest));
  document.head.append(link);
}
