//! Makes a definition as small as it can while it still shows what it shows: directives and forms are left out, forms
//! give way to what stands in them.

/// The smallest definition found by leaving out, one after the other, what is not needed for `fails`.
pub fn shrink(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let mut trees = read(text);
    loop {
        let before = print(&trees);
        fewer_directives(&mut trees, fails);
        smaller_forms(&mut trees, fails);
        if print(&trees) == before {
            return before;
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Tree {
    Word(String),
    Form(Vec<Tree>),
}

fn read(text: &str) -> Vec<Tree> {
    let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
    let mut word = String::new();
    let mut quoted = false;
    for sign in text.chars().chain([' ']) {
        if quoted || sign == '"' {
            word.push(sign);
            quoted = !quoted || sign != '"';
            continue;
        }
        if !sign.is_whitespace() && sign != '(' && sign != ')' {
            word.push(sign);
            continue;
        }
        let innermost = open.last_mut().expect("the outermost is never closed");
        if !word.is_empty() {
            innermost.push(Tree::Word(std::mem::take(&mut word)));
        }
        match sign {
            '(' => open.push(Vec::new()),
            ')' if open.len() > 1 => {
                let form = Tree::Form(open.pop().expect("more than one is open"));
                open.last_mut().expect("the outermost is never closed").push(form);
            }
            _ => {}
        }
    }
    while open.len() > 1 {
        let form = Tree::Form(open.pop().expect("more than one is open"));
        open.last_mut().expect("the outermost is never closed").push(form);
    }
    open.pop().expect("the outermost is never closed")
}

fn print(trees: &[Tree]) -> String {
    let mut text = String::new();
    for tree in trees {
        let begins = matches!(tree, Tree::Word(word) if word.starts_with('#'));
        if !text.is_empty() {
            text.push(if begins { '\n' } else { ' ' });
        }
        match tree {
            Tree::Word(word) => text.push_str(word),
            Tree::Form(inside) => text.push_str(&format!("({})", print(inside))),
        }
    }
    text
}

/// Leaves out directives, at first many at once.
fn fewer_directives(trees: &mut Vec<Tree>, fails: &dyn Fn(&str) -> bool) {
    let mut directives: Vec<Vec<Tree>> = Vec::new();
    for tree in trees.drain(..) {
        match (&tree, directives.last_mut()) {
            (Tree::Word(word), Some(_)) if word.starts_with('#') => directives.push(vec![tree]),
            (_, Some(last)) => last.push(tree),
            (_, None) => directives.push(vec![tree]),
        }
    }
    let mut size = directives.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < directives.len() {
            let mut fewer = directives.clone();
            fewer.drain(at..(at + size).min(directives.len()));
            match fails(&print(&fewer.concat())) {
                true => directives = fewer,
                false => at += size,
            }
        }
        if size == 1 {
            break;
        }
        size = size.div_ceil(2);
    }
    *trees = directives.concat();
}

/// Tries for every form and word, the outer ones first, to do without it, with less in its place, or with a part of it.
fn smaller_forms(trees: &mut Vec<Tree>, fails: &dyn Fn(&str) -> bool) {
    let mut at = 0;
    while let Some(path) = paths(trees).get(at).cloned() {
        let tree = get(trees, &path).clone();
        let mut instead = vec![Vec::new()];
        if let Tree::Form(inside) = &tree {
            // What a directive takes has a shape of its own: other words would show something else.
            if path.len() > 1 {
                instead.extend(["nil", "true", "1"].map(|word| vec![Tree::Word(word.into())]));
            }
            let forms = inside.iter().filter(|part| matches!(part, Tree::Form(_)));
            instead.extend(forms.map(|part| vec![part.clone()]));
        }
        let smaller = instead.into_iter().find_map(|instead| {
            let mut fewer = trees.clone();
            replace(&mut fewer, &path, instead);
            fails(&print(&fewer)).then_some(fewer)
        });
        match smaller {
            Some(fewer) => *trees = fewer,
            None => at += 1,
        }
    }
}

/// Where every form and word stands that could be left out, outer ones before those inside.
fn paths(trees: &[Tree]) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    let mut next: Vec<Vec<usize>> = (0..trees.len()).map(|at| vec![at]).collect();
    while !next.is_empty() {
        let mut inner = Vec::new();
        for path in next {
            match get(trees, &path) {
                Tree::Form(inside) => inner.extend((0..inside.len()).map(|at| [&path[..], &[at]].concat())),
                Tree::Word(word) if word.starts_with('#') => continue,
                Tree::Word(_) => {}
            }
            paths.push(path);
        }
        next = inner;
    }
    paths
}

fn get<'a>(trees: &'a [Tree], path: &[usize]) -> &'a Tree {
    let (first, rest) = path.split_first().expect("a path leads somewhere");
    match (&trees[*first], rest) {
        (tree, []) => tree,
        (Tree::Form(inside), rest) => get(inside, rest),
        (Tree::Word(_), _) => unreachable!("nothing stands in a word"),
    }
}

fn replace(trees: &mut Vec<Tree>, path: &[usize], instead: Vec<Tree>) {
    let (first, rest) = path.split_first().expect("a path leads somewhere");
    match (&mut trees[*first], rest) {
        (_, []) => drop(trees.splice(*first..=*first, instead)),
        (Tree::Form(inside), rest) => replace(inside, rest, instead),
        (Tree::Word(_), _) => unreachable!("nothing stands in a word"),
    }
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn what_is_not_needed_is_left_out() {
        let text =
            "#game \"A (b) c\" #model x #law \"L\" on go (require (and (can go) (> 1 2)))\n#sideeffect \"S\" (draw)";
        let small = shrink(text, &|text| text.contains("(can go)") && text.contains("#law") && text.contains("A (b)"));
        assert_eq!(small, "#game \"A (b) c\"\n#law (can go)");
    }
}
