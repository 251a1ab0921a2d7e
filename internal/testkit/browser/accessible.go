package browser

// accessible reports what readers with a keyboard, a screen reader or weak eyes would miss. The
// rules are among those of the Web Content Accessibility Guidelines 2.2, level AA, that a program
// can check.
func (b *Browser) accessible(what string) {
	b.Helper()
	for _, fault := range Evaluate[[]string](b, accessibleScript) {
		b.Errorf("%s: %s", what, fault)
	}
}

const accessibleScript = `(() => {
	const all = selector => [...document.querySelectorAll(selector)], faults = [];
	const tell = e => e.outerHTML.slice(0, 90);
	const seen = e => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0;
	const name = e => (e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") || "").split(" ").map(id => id && document.getElementById(id)?.textContent).join("")
		|| [...(e.labels || [])].map(l => l.textContent).join("") || e.textContent || e.getAttribute("alt") || "").trim();
	if (!document.documentElement.lang) faults.push("no language");
	if (!document.title.trim()) faults.push("no title");
	if (all("main").length !== 1) faults.push("not one main part");
	// 4.1.2, 1.1.1: whatever can be used or stands for text has a name.
	for (const e of all("button, input, select, textarea, a, summary, [role=img], [role=region], nav, img, svg:not([aria-hidden])"))
		if (seen(e) && !name(e)) faults.push("no name: " + tell(e));
	const roles = ["img", "region", "status", "group", "list", "listitem"];
	for (const e of all("[role]")) if (!roles.includes(e.getAttribute("role"))) faults.push("role: " + tell(e));
	// Identifiers are unique, and references lead somewhere.
	const ids = all("[id]").map(e => e.id);
	for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) faults.push("twice: #" + id);
	for (const attribute of ["aria-labelledby", "aria-describedby", "for", "href"])
		for (const e of all("[" + attribute + "]")) for (const id of e.getAttribute(attribute).split(" "))
			if (!(attribute === "href" && !id.startsWith("#")) && !ids.includes(id.replace("#", ""))) faults.push("leads nowhere: " + tell(e));
	for (const e of all("[aria-pressed], [aria-current]")) for (const value of [e.ariaPressed, e.ariaCurrent])
		if (value !== null && !["true", "false", "mixed", "page"].includes(value)) faults.push("state: " + tell(e));
	// 1.3.1: headings go down one level at a time; lists and tables are what they say.
	let level = 0;
	for (const e of all("h1, h2, h3, h4, h5, h6").filter(seen)) {
		if (+e.tagName[1] > level + 1) faults.push("heading skips a level: " + tell(e));
		level = +e.tagName[1];
		if (!e.textContent.trim()) faults.push("empty heading: " + tell(e));
	}
	if (all("h1").length !== 1) faults.push("not one first heading");
	for (const e of all("ul, ol")) if ([...e.children].some(c => c.tagName !== "LI")) faults.push("list: " + tell(e));
	for (const e of all("th")) if (!e.scope) faults.push("header of a table without a scope: " + tell(e));
	// 2.1.1, 2.4.3: what scrolls can be reached, in the order of the page.
	for (const e of all("[tabindex]")) if (e.tabIndex > 0) faults.push("order of focus: " + tell(e));
	for (const e of all("body *")) if (seen(e) && !e.closest("svg") && e.scrollHeight > e.clientHeight + 1 && ["auto", "scroll"].includes(getComputedStyle(e).overflowY)
		&& e.tabIndex < 0) faults.push("scrolls without focus: " + tell(e));
	// 2.5.8: targets are 24 pixels high and wide.
	for (const e of all("button, input, select, summary").filter(seen)) {
		const box = e.getBoundingClientRect();
		if ((box.height < 24 || box.width < 24) && !(e.type === "range" || e.type === "checkbox")) faults.push("small, " + box.width + " by " + box.height + ": " + tell(e));
	}
	// 1.4.3: text stands out from its background.
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgba = colour => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const light = c => {
		const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * b;
	};
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = rgba(getComputedStyle(e).backgroundColor);
			if (c[3] > 200) return c;
		}
		return [255, 255, 255, 255];
	};
	const met = new Set();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.textContent.trim() || e.closest("svg, script, style") || !seen(e) || met.has(e)) continue;
		met.add(e);
		const style = getComputedStyle(e), a = light(rgba(style.color)), c = light(behind(e));
		const ratio = (Math.max(a, c) + .05) / (Math.min(a, c) + .05), size = parseFloat(style.fontSize);
		const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
		if (ratio < (large ? 3 : 4.5)) faults.push("contrast " + ratio.toFixed(2) + ": " + tell(e));
	}
	// 1.4.10: nothing is wider than the window.
	const width = document.documentElement.clientWidth;
	for (const e of all("body *")) if (seen(e) && e.getBoundingClientRect().right > width + 1) faults.push("wider than the window: " + tell(e));
	return [...new Set(faults)].slice(0, 20);
})()`
