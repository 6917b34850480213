// The entry of my-privacy.html: it puts the page's actions and its view together.

import { loadReader, seal } from "../../client/index.ts";
import "../../elements/my-privacy/define.ts";
import { mount } from "../shell/mount.ts";
import { ReaderPage } from "./page.ts";
import { view } from "./view.ts";

mount((changed) => new ReaderPage({ load: loadReader, seal }, changed), view, "mine-title");
