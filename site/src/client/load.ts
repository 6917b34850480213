import { CloisterClient } from "./client.ts";
import { type Host, loaderOf } from "./loading.ts";
import type { Load } from "./types.ts";

export type { Host };

export function loader(host: Host): Load {
  return loaderOf(host, (engine) => new CloisterClient(engine));
}
