// What the small pages share: a state that is drawn anew when it changes, and the theme in it.

import { chooseTheme, currentTheme, type Theme } from "./theme.ts";

/** A page that needs `Host` of what it stands in. */
export class Page<State extends { readonly theme: Theme }, Host> {
  /** Called when there is something to read, to move the focus there. */
  onShown: (() => void) | undefined;

  constructor(
    public state: State,
    protected readonly host: Host,
    private readonly changed: () => void,
  ) {}

  protected set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }

  setTheme(theme: Theme): void {
    chooseTheme(theme);
    this.followTheme();
  }

  followTheme(): void {
    this.set({ theme: currentTheme() } as Partial<State>);
  }
}
