/** Settings. What differs between devices (the program's path) is kept on the device, never in the vault. */

import { type App, Notice, PluginSettingTab, Setting, type SettingDefinitionItem } from "obsidian";
import type VaultmemPlugin from "./main";
import type { Desk } from "./views/desk";
import { LogModal } from "./views/log_modal";
import { problemText } from "./views/parts";

export interface PluginSettings {
  /** Results a list shows. */
  limit: number;
  /** Folder that files are dropped into, as the vault's own setting `inbox` has it. */
  inbox: string;
}

export const DEFAULTS: PluginSettings = { limit: 20, inbox: "inbox" };
const PROGRAM = "vaultmem-program";

/** What data.json holds may be of any age or hand. */
export function readSettings(data: unknown): PluginSettings {
  const held: Partial<Record<keyof PluginSettings, unknown>> = typeof data === "object" && data !== null ? data : {};
  const limit = Number(held.limit);
  const inbox = typeof held.inbox === "string" ? held.inbox.trim() : "";
  return { limit: limit >= 5 && limit <= 100 ? Math.round(limit) : DEFAULTS.limit, inbox: inbox || DEFAULTS.inbox };
}

/** The program that the user chose on this device; "" for none. */
export function chosenProgram(app: App): string {
  const held: unknown = app.loadLocalStorage(PROGRAM);
  return typeof held === "string" ? held : "";
}

export function chooseProgram(app: App, program: string): void {
  app.saveLocalStorage(PROGRAM, program || null);
}

interface Row {
  name: string;
  desc: string;
  render: (setting: Setting) => void;
}

export class SettingsTab extends PluginSettingTab {
  constructor(
    private readonly plugin: VaultmemPlugin,
    private readonly desk: Desk,
  ) {
    super(plugin.app, plugin);
  }

  /** Obsidian before 1.13. */
  override display(): void {
    this.containerEl.empty();
    for (const { name, desc, render } of this.rows()) {
      render(new Setting(this.containerEl).setName(name).setDesc(desc));
    }
  }

  /** Obsidian from 1.13 on, whose search finds them. */
  override getSettingDefinitions(): SettingDefinitionItem[] {
    return this.rows();
  }

  private rows(): Row[] {
    return [
      {
        name: "Program",
        desc: "Path of the vaultmem program on this device. Empty: it is looked for where Python programs usually are.",
        render: (setting) => programRow(setting, this.desk),
      },
      {
        name: "Engine",
        desc: "Restart it, or see what it last said.",
        render: (setting) => engineRow(setting, this.desk),
      },
      {
        name: "Results",
        desc: "How many a list shows.",
        render: (setting) => {
          setting.addSlider((slider) =>
            slider
              .setLimits(5, 100, 5)
              .setValue(this.plugin.settings.limit)
              .onChange((limit) => this.keep({ limit })),
          );
        },
      },
      {
        name: "Inbox folder",
        desc: "What you ingest is dropped there. The engine's own setting has to name the same folder.",
        render: (setting) => {
          setting.addText((text) =>
            text
              .setPlaceholder(DEFAULTS.inbox)
              .setValue(this.plugin.settings.inbox)
              .onChange((inbox) => this.keep({ inbox })),
          );
        },
      },
    ];
  }

  private async keep(part: Partial<PluginSettings>): Promise<void> {
    this.plugin.settings = readSettings({ ...this.plugin.settings, ...part });
    await this.plugin.saveSettings();
  }
}

/** The path, kept on this device, and a button that tries it. */
export function programRow(setting: Setting, desk: Desk): void {
  setting.addText((text) => {
    text.setPlaceholder("/home/you/.local/bin/vaultmem").setValue(chosenProgram(desk.app));
    text.inputEl.setAttr("aria-label", "Path of the program");
    text.inputEl.addEventListener("change", () => chooseProgram(desk.app, text.getValue().trim()));
  });
  setting.addButton((button) => button.setButtonText("Test").onClick(() => test(desk)));
}

function engineRow(setting: Setting, desk: Desk): void {
  setting.addButton((button) => button.setButtonText("Restart").onClick(() => test(desk)));
  setting.addButton((button) => button.setButtonText("Show log").onClick(() => new LogModal(desk).open()));
}

async function test(desk: Desk): Promise<void> {
  try {
    await desk.engine.restart();
    const { state } = desk.engine;
    if (state.name === "ready") new Notice(`The engine runs: ${state.program}, version ${state.version}.`);
  } catch (problem) {
    new Notice(problemText(problem));
  }
}
