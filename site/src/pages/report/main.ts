// The entry of my-privacy.html: it puts the page's actions and its view together.

import { seal } from "../../client/index.ts";
import "../../elements/my-privacy/define.ts";
import { mount } from "../shell/mount.ts";
import { loadReader } from "../shell/own-core.ts";
import { ReaderPage } from "./page.ts";
import { view } from "./view.ts";

mount((changed) => new ReaderPage({ load: loadReader, seal }, changed), view, "mine-title");
