import { mount } from "svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import App from "./App.svelte";
import { preferences } from "./preferences.svelte";
import { begin } from "./router.svelte";
import { mend } from "./mend";
import { settle } from "./words/index.svelte";

mend();
preferences.show();
begin();
await settle();
mount(App, { target: document.getElementById("app")! });
