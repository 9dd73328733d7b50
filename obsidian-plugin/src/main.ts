/** vaultmem in Obsidian: what is registered when. Nothing runs before something is asked. */

import { Plugin } from "obsidian";
import { addCommands } from "./commands";
import { openDesk } from "./open_desk";
import { DEFAULTS, type PluginSettings, readSettings, SettingsTab } from "./settings";
import { VIEWS } from "./views/desk";
import { DigestView } from "./views/digest_view";
import { EntityView } from "./views/entity_view";
import { GraphView } from "./views/graph_view";
import { IngestView } from "./views/ingest_view";
import { InboxCount } from "./views/inbox_count";
import { RecallView } from "./views/recall_view";
import { TreeView } from "./views/tree_view";

const RIBBON = "brain";

export default class VaultmemPlugin extends Plugin {
  override settings: PluginSettings = DEFAULTS;

  override async onload(): Promise<void> {
    this.settings = readSettings(await this.loadData());
    const desk = openDesk(this);
    this.registerView(VIEWS.recall, (leaf) => new RecallView(leaf, desk));
    this.registerView(VIEWS.tree, (leaf) => new TreeView(leaf, desk));
    this.registerView(VIEWS.entity, (leaf) => new EntityView(leaf, desk));
    this.registerView(VIEWS.ingest, (leaf) => new IngestView(leaf, desk));
    this.registerView(VIEWS.digest, (leaf) => new DigestView(leaf, desk));
    this.registerView(VIEWS.graph, (leaf) => new GraphView(leaf, desk));
    for (const view of Object.values(VIEWS)) {
      this.registerHoverLinkSource(view, { display: "Memory", defaultMod: true });
    }
    this.addRibbonIcon(RIBBON, "Open recall", () => void desk.show(VIEWS.recall));
    addCommands(this, desk);
    this.addSettingTab(new SettingsTab(this, desk));
    this.app.workspace.onLayoutReady(() => this.addChild(new InboxCount(desk, this.addStatusBarItem())));
  }

  /** The first pane opens once, when the user enables the plugin; later Obsidian remembers where it was. */
  override onUserEnable(): void {
    void this.app.workspace.ensureSideLeaf(VIEWS.recall, "right", { active: true, reveal: true });
  }

  async saveSettings(): Promise<void> {
    await this.saveData(this.settings);
  }
}
