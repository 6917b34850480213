package api

// Merge puts the handlers of several services side by side. It panics if two
// have a method of one name.
func Merge(services ...*Service) *Service {
	all := &Service{Handlers: map[string]Handler{}}
	for _, s := range services {
		for name, handler := range s.Handlers {
			if _, taken := all.Handlers[name]; taken {
				panic("api: two handlers for " + name)
			}
			all.Handlers[name] = handler
		}
	}
	all.Explain = func(err error) *Error {
		for _, s := range services {
			if s.Explain == nil {
				continue
			}
			if e := s.Explain(err); e != nil {
				return e
			}
		}
		return nil
	}
	return all
}
